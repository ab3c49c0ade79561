import { createHash } from 'node:crypto'
import { html } from '../../../lib/html.ts'

/**
 * The style sheet of the pages: light and dark themes, widths from 320 pixels, and visible focus. The colours are the
 * dashboard's.
 */
export const STYLE = html`
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ground: #f6f7f4; --ink: #18211f; --soft: #4d5a56; --line: #d5dad3; --edge: #7d8a85;
  --brand: #0b6b5d; --on-brand: #ffffff; --danger: #a31621; --danger-tint: #fce4e4;
  --waiting: #7a4a00; --waiting-tint: #fdeecf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #182120; --ground: #101614; --ink: #eaf0ed; --soft: #b4c2bc; --line: #31403b; --edge: #71837c;
    --brand: #5fd0b7; --on-brand: #06251f; --danger: #ff9a9a; --danger-tint: #3d1719;
    --waiting: #f3c26b; --waiting-tint: #372809;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  display: flex; flex-direction: column; align-items: center; padding: 1.5rem 1rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 4vh 0 1.25rem; font-weight: 650; font-size: 1.125rem; }
.brand svg { width: 1.75rem; height: 1.75rem; fill: var(--brand); }
main { width: 100%; max-width: 26rem; background: var(--paper); border: 1px solid var(--line); border-radius: 4px;
  padding: clamp(1.25rem, 6vw, 2rem); }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
li { margin: .125rem 0; }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge);
  border-radius: 4px; padding: .625rem .75rem; min-height: 2.875rem; }
input[aria-invalid] { border-color: var(--danger); border-width: 2px; }
.hint { margin: .5rem 0 0; font-size: .9375rem; color: var(--soft); }
.button { display: block; width: 100%; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  cursor: pointer; border-radius: 4px; padding: .625rem 1rem; min-height: 2.875rem; margin-top: 1rem;
  border: 1px solid var(--brand); background: var(--brand); color: var(--on-brand); }
.button:hover { background: color-mix(in srgb, var(--brand) 88%, var(--ink)); }
.plain { background: transparent; color: var(--ink); border-color: var(--edge); }
.plain:hover { background: var(--ground); color: var(--ink); border-color: var(--edge); }
.link { display: block; margin: 1rem auto 0; font: inherit; background: none; border: 0; border-radius: 4px;
  padding: .25rem .5rem; color: var(--brand); text-decoration: underline; cursor: pointer; }
[hidden] { display: none; }
.key, .codes { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.codes { list-style: none; padding: 0; columns: 2; }
@media (max-width: 26rem) { .codes { columns: 1; } }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
.problem, .care { border-radius: 4px; padding: .75rem 1rem; margin: 0 0 1rem; border-left: .25rem solid; }
.problem { background: var(--danger-tint); color: var(--danger); }
.care { background: var(--waiting-tint); color: var(--waiting); }
.problem ul, .care ul, .problem p, .care p { margin-bottom: 0; }
.or { display: flex; align-items: center; gap: .75rem; color: var(--soft); margin: 1.25rem 0 0; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
dl { margin: 0 0 1rem; }
dt { color: var(--soft); font-size: .9375rem; }
dd { margin: 0 0 .5rem; font-weight: 600; }
@media (forced-colors: active) { .button { border: 2px solid ButtonText; } }
`

/** The hash that allows this style sheet in the content security policy. */
export const STYLE_CSP_SOURCE = `'sha256-${createHash('sha256').update(STYLE.toString()).digest('base64')}'`
