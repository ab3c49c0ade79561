import { createHash } from 'node:crypto'
import { html } from './html.ts'

/** The style sheet of the pages: light and dark themes, widths from 320 pixels, and visible focus. */
export const STYLE = html`
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ground: #f1f3f7; --ink: #1a2233; --soft: #4b566b; --line: #c4cbd8; --edge: #6f7b90;
  --brand: #1d4ed8; --on-brand: #ffffff; --deep: #1e40af; --wrong: #a31621; --wrong-ground: #fdeced;
  --care: #6b4300; --care-ground: #fff4dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b2230; --ground: #10151f; --ink: #eef1f6; --soft: #b3bdcd; --line: #3a4558; --edge: #8391a8;
    --brand: #8fb4ff; --on-brand: #0d1524; --deep: #b3ccff; --wrong: #ffb3b8; --wrong-ground: #3d1d22;
    --care: #ffd88a; --care-ground: #362b12;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  display: flex; flex-direction: column; align-items: center; padding: 1.5rem 1rem; }
.brand { display: flex; align-items: center; gap: .5rem; margin: 4vh 0 1.25rem; font-weight: 650; font-size: 1.125rem; }
.brand svg { width: 1.75rem; height: 1.75rem; fill: var(--brand); }
main { width: 100%; max-width: 26rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem;
  padding: clamp(1.25rem, 6vw, 2rem); }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: 0 0 1rem; }
.soft { color: var(--soft); }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
li { margin: .125rem 0; }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge);
  border-radius: .5rem; padding: .625rem .75rem; min-height: 2.875rem; }
input[aria-invalid] { border-color: var(--wrong); border-width: 2px; }
.hint { margin: .5rem 0 0; font-size: .9375rem; color: var(--soft); }
.button { display: block; width: 100%; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  cursor: pointer; border-radius: .5rem; padding: .625rem 1rem; min-height: 2.875rem; margin-top: 1rem;
  border: 1px solid var(--brand); background: var(--brand); color: var(--on-brand); }
.button:hover { background: var(--deep); border-color: var(--deep); }
.plain { background: transparent; color: var(--ink); border-color: var(--edge); }
.plain:hover { background: var(--ground); color: var(--ink); border-color: var(--edge); }
.link { display: block; margin: 1rem auto 0; font: inherit; background: none; border: 0; border-radius: .25rem;
  padding: .25rem .5rem; color: var(--brand); text-decoration: underline; cursor: pointer; }
[hidden] { display: none; }
.key, .codes { font-family: ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
.codes { list-style: none; padding: 0; columns: 2; }
@media (max-width: 26rem) { .codes { columns: 1; } }
a { color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
.problem, .care { border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; border-left: .25rem solid; }
.problem { background: var(--wrong-ground); color: var(--wrong); }
.care { background: var(--care-ground); color: var(--care); }
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
