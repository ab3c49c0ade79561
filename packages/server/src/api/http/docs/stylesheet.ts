import { Html } from '../../../lib/html.ts'

/** The style of all pages of the reference, in colours of the dashboard. */
export const stylesheet = new Html(`
:root { color-scheme: light dark; --line: light-dark(#d5dad3, #31403b); --soft: light-dark(#f6f7f4, #182120);
  --page: light-dark(#fff, #101614); --text: light-dark(#18211f, #eaf0ed); --dim: light-dark(#4d5a56, #b4c2bc);
  --link: light-dark(#0b6b5d, #5fd0b7); --get: light-dark(#0b5cad, #6cb2f5); --post: light-dark(#15733a, #5cc98a);
  --put: light-dark(#8a5200, #e3b05c); --delete: light-dark(#b3261e, #f2867e) }
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; background: var(--page); color: var(--text) }
a { color: var(--link); text-decoration: none } a:hover, main a { text-decoration: underline }
.operations a:not(:hover), .names a:not(:hover), main h2 a:not(:hover) { text-decoration: none }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: .75rem 1.5rem; align-items: center; padding: .6rem 1.5rem;
  background: var(--page); border-bottom: 1px solid var(--line) }
.home { display: flex; gap: .5rem; align-items: center; font-weight: 700; color: inherit; white-space: nowrap }
.home svg { color: var(--link) }
.jump { display: none }
form { display: flex; flex: 1; gap: .5rem; max-width: 34rem; margin-left: auto }
input, button { font: inherit; color: inherit; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: .4rem }
input { flex: 1; min-width: 0; background: var(--page) } button { background: var(--soft); cursor: pointer }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 78rem; margin: 0 auto }
nav { grid-row: 1; padding: 1.25rem 1rem 2rem 1.5rem; position: sticky; top: 3.6rem; align-self: start;
  max-height: calc(100vh - 3.6rem); overflow-y: auto; font-size: .92rem }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0 } nav a { display: block; padding: .14rem .6rem; border-radius: .3rem; color: inherit }
nav a[aria-current] { background: var(--soft); font-weight: 600; color: var(--link) }
main { padding: 1.25rem 1.5rem 4rem; grid-column: 2; grid-row: 1 }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 0 0 1rem } h2 { font-size: 1.3rem; margin: 2rem 0 .6rem }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem }
section { border-top: 1px solid var(--line); margin-top: 2.2rem } section > h2 { margin-top: 1.4rem }
code, pre { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace } code { overflow-wrap: break-word }
pre { overflow-x: auto; margin: .5rem 0; padding: .8rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem }
pre code { font-size: 1em; overflow-wrap: normal }
details { margin: .5rem 0 } summary { cursor: pointer; width: fit-content; color: var(--dim) } summary:hover { color: var(--text) }
.endpoint { padding: .5rem .8rem; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; overflow-wrap: anywhere }
.method { font: 700 .74rem/1 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .03em; margin-right: .5em; color: var(--get) }
.POST { color: var(--post) } .PUT, .PATCH { color: var(--put) } .DELETE { color: var(--delete) }
.operations { list-style: none; padding: 0; margin: 0 }
.operations li { display: grid; grid-template-columns: 4.2rem minmax(0, 1fr) minmax(0, 1.25fr); gap: 0 .6rem; align-items: baseline;
  padding: .28rem 0; border-bottom: 1px solid var(--line) }
.operations .method { margin: 0 } .operations code { color: var(--dim); font-size: .8rem; overflow-wrap: anywhere }
.names { columns: 14rem; padding: 0; list-style: none }
.dim, .type { color: var(--dim) } .type { font-size: .92em } .tag { font-size: .75rem; color: var(--delete); margin-left: .4em; font-weight: 400 }
dl { margin: .4rem 0; border-top: 1px solid var(--line) }
dl > div { display: grid; grid-template-columns: minmax(9rem, 14rem) minmax(0, 1fr); gap: 0 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line) }
dt { overflow-wrap: anywhere } dt code { font-weight: 600 } dd { margin: 0; overflow-wrap: break-word } dd p { margin: 0 } p { margin: .5rem 0 }
.table { overflow-x: auto } table { border-collapse: collapse; font-size: .92rem }
th, td { padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
article img { max-width: 100%; border: 1px solid var(--line); border-radius: .4rem } article li { margin: .25rem 0 }
article p, article li, article td { overflow-wrap: break-word }
.required { font-size: .75rem; color: var(--delete); margin-left: .4em }
@media (max-width: 50rem) {
  .jump { display: block; margin-left: auto }
  header { flex-wrap: wrap; position: static; padding: .6rem 1rem } form { flex-basis: 100%; max-width: none } html { scroll-padding-top: 0 }
  .columns { display: block } main { padding: 1rem 1rem 2rem }
  nav { position: static; max-height: none; padding: 1rem; border-top: 1px solid var(--line) } nav ul { columns: 2 } nav a { padding: .3rem .4rem }
  .operations li { grid-template-columns: 4.2rem minmax(0, 1fr); padding: .45rem 0 } .operations code { grid-column: 2 }
  dl > div { display: block } h1 { font-size: 1.5rem }
}
`)
