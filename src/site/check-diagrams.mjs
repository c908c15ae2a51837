// Each diagram on a page has to parse.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('')
globalThis.window = window
globalThis.document = window.document
const { default: mermaid } = await import('mermaid')

let found = 0
let bad = 0
for (const file of readdirSync('pages', { recursive: true }).filter(it => it.endsWith('.md'))) {
  const text = readFileSync(join('pages', file), 'utf8')
  for (const [, code] of text.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)) {
    found += 1
    try {
      await mermaid.parse(code)
    } catch (error) {
      bad += 1
      console.error(`${file}: ${error.message}\n${code}`)
    }
  }
}
console.log(`${found} diagrams, ${bad} do not parse`)
process.exit(bad === 0 && found > 0 ? 0 : 1)
