/** A piece of a page: text in which everything that could be mistaken for markup is escaped. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What can stand in a template: nothing is shown of what is left out. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[]

/** Makes a piece of a page. What is written in the template is markup, what is put into it is text. */
export function html(markup: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html {
  return new Html(markup.reduce((text, next, index) => text + shown(parts[index - 1]) + next))
}

function shown(part: HtmlValue): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.toString()
  if (typeof part === 'object') return part.map(shown).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
