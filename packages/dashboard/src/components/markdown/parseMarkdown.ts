/** A piece of a line. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly text: string; readonly url: string }

/** A part of a text. */
export type Block =
  | { readonly type: 'paragraph' | 'heading'; readonly content: readonly Inline[] }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly type: 'code'; readonly text: string }

const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const HEADING = /^#{1,6}\s+(.*)$/
const FENCE = /^\s{0,3}(```|~~~)/

/** Reads paragraphs, headings, lists, blocks of code and links; everything else of Markdown stays text. */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const blocks: Block[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
    const fence = FENCE.exec(line)?.[1]
    const heading = HEADING.exec(line)?.[1]
    if (line.trim() === '') index += 1
    else if (fence !== undefined) {
      const end = lines.findIndex((other, at) => at > index && other.trim() === fence)
      const last = end === -1 ? lines.length : end
      blocks.push({ type: 'code', text: lines.slice(index + 1, last).join('\n') })
      index = last + 1
    } else if (heading !== undefined) {
      blocks.push({ type: 'heading', content: parseInline(heading) })
      index += 1
    } else {
      const isItem = ITEM.test(line)
      const length = lines.slice(index).findIndex((other, at) => at > 0 && endsBlock(other, isItem))
      const part = lines.slice(index, length === -1 ? undefined : index + length)
      blocks.push(isItem ? listOf(part) : { type: 'paragraph', content: parseInline(part.join(' ')) })
      index += part.length
    }
  }
  return blocks
}

function endsBlock(line: string, isList: boolean): boolean {
  return line.trim() === '' || FENCE.test(line) || HEADING.test(line) || (!isList && ITEM.test(line))
}

/** A line that is no item continues the item before it. */
function listOf(lines: readonly string[]): Block {
  const items: string[] = []
  for (const line of lines) {
    const item = ITEM.exec(line)?.[2]
    if (item !== undefined) items.push(item)
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  return { type: 'list', isOrdered: ITEM.exec(lines[0] ?? '')?.[1] !== undefined, items: items.map(parseInline) }
}

const INLINE = /`([^`]+)`|\[([^\][]{1,500})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>()]{1,2000}[^\s<>().,;:!?])/g

function parseInline(text: string): readonly Inline[] {
  const pieces: Inline[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, code, title, address = '', bare] = match
    if (match.index > end) pieces.push({ type: 'text', text: text.slice(end, match.index) })
    end = match.index + all.length
    if (code !== undefined) pieces.push({ type: 'code', text: code })
    else if (bare !== undefined) pieces.push({ type: 'link', text: bare, url: bare })
    else if (title !== undefined && isSafe(address)) pieces.push({ type: 'link', text: title, url: address })
    else pieces.push({ type: 'text', text: all })
  }
  if (end < text.length) pieces.push({ type: 'text', text: text.slice(end) })
  return pieces
}

/** Whether an address is one of the web or of mail: no scripts. */
function isSafe(address: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(address)
}
