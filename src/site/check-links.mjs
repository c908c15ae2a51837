// Each link and picture of the built site that stays on the site has to lead somewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'

const site = 'https://site.invalid/'
const anchors = new Map()

function page(path) {
  const file = join('dist', decodeURIComponent(path))
  const candidates = [file, file + '.html', join(file, 'index.html')]
  return candidates.find(it => existsSync(it) && statSync(it).isFile())
}

function names(file) {
  if (!anchors.has(file)) {
    const document = new JSDOM(readFileSync(file, 'utf8')).window.document
    anchors.set(file, new Set([...document.querySelectorAll('[id]')].map(it => it.id)))
  }
  return anchors.get(file)
}

let checked = 0
let bad = 0
for (const name of readdirSync('dist', { recursive: true }).filter(it => it.endsWith('.html'))) {
  const base = site + name.replaceAll('\\', '/')
  const document = new JSDOM(readFileSync(join('dist', name), 'utf8')).window.document
  for (const element of document.querySelectorAll('main [href], main [src], aside [href]')) {
    const link = element.getAttribute('href') ?? element.getAttribute('src')
    const url = new URL(link, base)
    if (!url.href.startsWith(site)) {
      continue
    }
    checked += 1
    const file = page(url.pathname)
    const anchor = decodeURIComponent(url.hash.slice(1))
    if (!file || (anchor && file.endsWith('.html') && !names(file).has(anchor))) {
      bad += 1
      console.error(`${name}: ${link} leads nowhere`)
    }
  }
}
console.log(`${checked} links, ${bad} lead nowhere`)
process.exit(bad === 0 && checked > 0 ? 0 : 1)
