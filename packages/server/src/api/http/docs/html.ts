/** Markup that needs no escaping. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Content = Html | string | number | false | undefined | readonly Content[]

/** Template tag for HTML. Interpolated text is escaped, `Html` is not; `false` and `undefined` add nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((part, index) => part + toMarkup(values[index])).join(''))
}

function toMarkup(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Html) return content.markup
  if (Array.isArray(content)) return content.map(toMarkup).join('')
  return escapeHtml(String(content))
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Formats text in which backticks mark code. */
export function formatProse(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Formats a path that can wrap before its slashes. */
export function formatPath(path: string): Html {
  return html`${path.split('/').map((part, index) => (index > 0 ? html`<wbr>/${part}` : part))}`
}

/** Formats a block of code. */
export function formatCode(code: string): Html {
  return html`<pre><code>${code}</code></pre>`
}

/** Formats a value as JSON. Arrays and objects that fit on a line stay on one line. */
export function toReadableJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')
  if (line.length + indent.length <= MAX_LINE_LENGTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Object.entries(value).map(([key, item]) => {
    return `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${toReadableJson(item, inner)}`
  })
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

const MAX_LINE_LENGTH = 76
