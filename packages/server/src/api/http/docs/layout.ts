import { Html, html } from '../../../lib/html.ts'
import type { Reference } from './reference.ts'
import { stylesheet } from './stylesheet.ts'

/** Allows inline styles, and images and forms of the same server. Blocks scripts and external resources. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** The parts of a page of the reference. */
export interface PageParts {
  readonly title: string
  /** The relative path to the server's root, such as `''` or `'../'`: a proxy may serve the server below a path. */
  readonly root: string
  readonly body: Html
  /** The slug of the heading that the navigation highlights. */
  readonly current?: string
  /** The text in the search field. */
  readonly query?: string
}

/** The pennant of the dashboard. */
const logo = new Html(
  '<svg width="24" height="24" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true"><path d="M4 3h2.5v26H4zM8 5l21 2.6-7 6.4 7 6.4L8 23z"/></svg>'
)

/** Renders a page with the search field and the navigation that all pages share. */
export function renderReferencePage(
  reference: Reference,
  { title, root, body, current, query = '' }: PageParts
): string {
  const item = (slug: string, name: string) =>
    html`<li><a href="${root}docs/${slug}"${slug === current && html` aria-current="page"`}>${name}</a></li>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${stylesheet}</style></head><body>
<header><a class="home" href="${root}docs">${logo}${reference.title}</a>${
    // An empty reference would name the page itself.
    reference.hasDashboard && html`<a class="dashboard" href="${root || './'}">Dashboard</a>`
  }<a class="jump" href="#headings">Headings</a>
<form action="${root}docs" role="search"><input type="search" name="q" value="${query}" placeholder="Search operations and guides"
 aria-label="Search operations, schemas and guides"><button>Search</button></form></header>
<div class="columns"><main>${body}</main>
<nav id="headings" aria-label="Headings"><ul>${reference.headings.map(({ slug, name }) => item(slug, name))}</ul>
<ul>${item('schemas', 'Schemas')}${item('README.md', 'Guides')}
<li><a href="${root}openapi.json">OpenAPI document</a></li></ul></nav></div></body></html>`.toString()
}
