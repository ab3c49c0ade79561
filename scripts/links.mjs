// Checks every relative link in the Markdown files of the repository: the file exists, and so does the anchor in it.
// Usage: node scripts/links.mjs
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root })
const pages = listed
  .toString()
  .split('\n')
  .filter((page) => page && existsSync(join(root, page)))
const anchorsByPage = new Map()

const broken = pages.flatMap((page) => linksIn(read(page)).flatMap(({ target, line }) => check(page, target, line)))
for (const message of broken) console.error(message)
console.log(`${pages.length} pages, ${broken.length} broken links`)
process.exitCode = broken.length > 0 ? 1 : 0

function check(page, target, line) {
  const [path, anchor] = target.split('#')
  const file = path ? normalize(join(dirname(page), decodeURIComponent(path))) : page
  if (!existsSync(join(root, file))) return [`${page}:${line}: ${target} does not exist`]
  if (anchor === undefined || statSync(join(root, file)).isDirectory() || !file.endsWith('.md')) return []
  return anchorsOf(file).has(decodeURIComponent(anchor)) ? [] : [`${page}:${line}: ${target} has no such heading`]
}

/** Returns the relative targets of a page's links and images, with their lines. Code is skipped. */
function linksIn(text) {
  return withoutFences(text).flatMap((content, index) => {
    const prose = content.replace(/`[^`]*`/g, '')
    const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)]
    const references = [...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/g)]
    const html = [...prose.matchAll(/<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)="([^"]+)"/g)]
    return [...inline, ...references, ...html]
      .map(([, target]) => target)
      .filter((target) => !/^([a-z][a-z+.-]*:|\/\/)/i.test(target))
      .map((target) => ({ target, line: index + 1 }))
  })
}

/** Returns the anchors of a page's headings as GitHub generates them; a repeated heading gets a number. */
function anchorsOf(page) {
  const known = anchorsByPage.get(page)
  if (known) return known
  const anchors = new Set()
  for (const line of withoutFences(read(page))) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? []
    if (heading !== undefined) anchors.add(unique(slugOf(heading), anchors))
    for (const [, id] of line.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id)
  }
  anchorsByPage.set(page, anchors)
  return anchors
}

function slugOf(heading) {
  const text = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replace(/ /g, '-')
}

function unique(slug, anchors) {
  if (!anchors.has(slug)) return slug
  let number = 1
  while (anchors.has(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}

/** Returns the lines of a text; those of fenced code are emptied, so that line numbers stay correct. */
function withoutFences(text) {
  let fence
  return text.split('\n').map((line) => {
    const [, marker] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined && marker) fence = marker
    else if (fence !== undefined && marker?.startsWith(fence) && line.trim() === marker) fence = undefined
    else if (fence === undefined) return line
    return ''
  })
}

function read(page) {
  return readFileSync(join(root, page), 'utf8')
}
