// The site: the Markdown pages of the repository as they are. See docs/contributing/site.md.
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const pages = join(dirname(fileURLToPath(import.meta.url)), '..', 'pages')

/** The menu is the index of the documentation: its headings, and the links below them. */
function menu() {
  const sections = []
  for (const line of readFileSync(join(pages, 'docs/index.md'), 'utf8').split('\n')) {
    const heading = line.match(/^## (.+)$/)
    if (heading) {
      sections.push({ text: heading[1], collapsed: false, items: [] })
    }
    for (const [, text, link] of line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)) {
      if (sections.length > 0) {
        const name = text[0].toUpperCase() + text.slice(1)
        sections.at(-1).items.push({ text: name, link: '/' + posix.join('docs', link) })
      }
    }
  }
  return sections
}

/** Anchors as GitHub makes them, so that links work on both. */
function slugify(text) {
  return text.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-')
}

/** Long paths break after their dots and slashes, so that tables stay narrow. */
function paths(markdown) {
  const code = markdown.renderer.rules.code_inline
  markdown.renderer.rules.code_inline = (tokens, index, options, env, self) =>
    code(tokens, index, options, env, self).replace(
      /(<code[^>]*>)(.*)(<\/code>)/s,
      (_, start, text, end) => start + text.replace(/([./\]])(?=\w)/g, '$1<wbr>') + end
    )
}

/** A fence of the language mermaid becomes a diagram. */
function diagrams(markdown) {
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, options, env, self) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<Diagram code="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, options, env, self)
}

export default {
  title: 'Sluice',
  description: 'The gate that batch jobs pass on their way into a Kubernetes cluster',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'cache',
  markdown: { anchor: { slugify }, config: markdown => [paths, diagrams].forEach(it => it(markdown)) },
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
      { text: 'Security', link: '/SECURITY' }
    ],
    sidebar: menu(),
    outline: [2, 3],
    search: { provider: 'local' }
  }
}
