import { Marked } from 'marked'
import { Html, html } from '../../../lib/html.ts'
import { renderReferencePage } from './layout.ts'
import type { Reference } from './reference.ts'

/** Renders a page of the documentation, which is trusted Markdown. `path` is below `docs/`. */
export function renderGuidePage(reference: Reference, path: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  return renderReferencePage(reference, {
    title,
    root: '../'.repeat(path.split('/').length),
    body: html`<article>${new Html(renderMarkdown(text))}</article>`,
    current: path
  })
}

function renderMarkdown(text: string): string {
  const slugs = new Map<string, number>()
  const markdown = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${toSlug(words, slugs)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      }
    }
  })
  // What can scroll has to be reached by keyboard.
  return (markdown.parse(text) as string)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
}

/**
 * The anchor of a heading, as in the links of the pages, which scripts/links.mjs checks: lower case, hyphens for
 * spaces, numbered if repeated.
 */
function toSlug(words: string, slugs: Map<string, number>): string {
  const slug = words
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const count = slugs.get(slug) ?? 0
  slugs.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
