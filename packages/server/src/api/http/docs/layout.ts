import { type Html, html } from './html.ts'
import type { Reference } from './reference.ts'
import { stylesheet } from './stylesheet.ts'

/** Allows the page's own style and a form that asks the same server; nothing is loaded and no script runs. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** What a page of the reference consists of. */
export interface PageParts {
  readonly title: string
  /** The relative way to the server's root, `''` or `'../'` and so on: a proxy may serve it below a path. */
  readonly root: string
  readonly body: Html
  /** The address of the heading that the navigation marks. */
  readonly current?: string
  /** The text in the search field. */
  readonly query?: string
}

/** A page with the search field and the navigation that all pages share. */
export function renderPage(reference: Reference, { title, root, body, current, query = '' }: PageParts): string {
  const item = (slug: string, name: string) =>
    html`<li><a href="${root}docs/${slug}"${slug === current && html` aria-current="page"`}>${name}</a></li>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${stylesheet}</style></head><body>
<header><a class="home" href="${root}docs">${reference.title}</a><a class="jump" href="#headings">Headings</a>
<form action="${root}docs" role="search"><input type="search" name="q" value="${query}" placeholder="Search operations and schemas"
 aria-label="Search operations and schemas"><button>Search</button></form></header>
<div class="columns"><main>${body}</main>
<nav id="headings" aria-label="Headings"><ul>${reference.headings.map(({ slug, name }) => item(slug, name))}</ul>
<ul>${item('schemas', 'Schemas')}${item('README.md', 'Guides (Markdown)')}
<li><a href="${root}openapi.json">OpenAPI document</a></li></ul></nav></div></body></html>`.markup
}
