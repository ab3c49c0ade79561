import type { Served } from './served.ts'

/** The results of one variation of a target by details text, of which there are few: nearly always the same one again. */
export class Results {
  // A text from the start, because texts compare faster where nothing else was ever compared.
  #text = ''
  #served: Served | undefined
  readonly #others = new Map<string, Served>()

  find(text: string): Served | undefined {
    return text === this.#text ? this.#served : this.#others.get(text)
  }

  keep(text: string, served: Served): void {
    this.#text = text
    this.#served = served
    this.#others.set(text, served)
  }
}
