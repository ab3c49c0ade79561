import type { Context } from 'koa'
import { type Html, type HtmlValue, html } from '../../../lib/html.ts'
import { STYLE } from './style.ts'

/** The content of a page. */
export interface PageContent {
  readonly title: string
  /** Further elements of the head. */
  readonly head?: HtmlValue
  readonly body: HtmlValue
  /** The validation messages. */
  readonly problems?: readonly string[]
}

/** Responds with a page. */
export function showPage(ctx: Context, page: string): void {
  ctx.type = 'html'
  ctx.body = page
}

/** Renders a complete page. It has no scripts and loads no resources, except for a script in `head`. */
export function renderPage({ title, head, body, problems = [] }: PageContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${problems.length > 0 && 'Error: '}${title} – Burgee</title>
<style>${STYLE}</style>
${head}
</head>
<body>
<header class="brand">${pennant} Burgee</header>
<main>
<h1>${title}</h1>
${problems.length > 0 && problem(problems)}
${body}
</main>
</body>
</html>
`.toString()
}

/** The id of the validation messages; invalid fields refer to it. */
export const PROBLEM_ID = 'problem'

/** The attributes of an invalid field, visible and for screen readers. */
export const invalidFieldAttributes = html` aria-invalid="true" aria-describedby="${PROBLEM_ID}"`

function problem(problems: readonly string[]): Html {
  const [first] = problems
  const content =
    problems.length === 1 ? html`<p>${first}</p>` : html`<ul>${problems.map((one) => html`<li>${one}</li>`)}</ul>`
  return html`<div class="problem" role="alert" id="${PROBLEM_ID}">${content}</div>`
}

const pennant = html`<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M4 3h2.5v26H4z"/><path d="M8 5l21 2.6-7 6.4 7 6.4L8 23z"/></svg>`
