/** A piece of HTML with all interpolated text escaped. */
export class Html {
  readonly #markup: string

  /** @param markup Trusted markup: it is not escaped. */
  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** Values that templates accept; undefined and false render nothing. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[]

/** Template tag for HTML: the template is markup, interpolated values are text. */
export function html(markup: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(markup.reduce((text, next, index) => text + toMarkup(parts[index - 1]) + next))
}

function toMarkup(part: HtmlValue): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.toString()
  if (typeof part === 'object') return part.map(toMarkup).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
