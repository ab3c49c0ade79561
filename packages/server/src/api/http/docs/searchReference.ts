import type { Heading, OperationEntry, Reference } from './reference.ts'

/** The result of a search. Headings contain only the operations that match. */
interface SearchResult {
  readonly headings: readonly Heading[]
  readonly schemas: readonly string[]
  readonly sections: readonly Section[]
  /** The number of operations, schemas and sections. */
  readonly count: number
}

/** A page of the documentation, or a section of it. */
interface Section {
  readonly path: string
  /** The heading of the page. */
  readonly title: string
  /** Absent for the page itself. */
  readonly heading?: string
}

/** A page of the documentation with its headings. */
export interface DocumentedPage {
  readonly path: string
  readonly title: string
  readonly headings: readonly string[]
}

/** Lists the pages of the documentation. */
export function listPages(markdown: ReadonlyMap<string, string>): readonly DocumentedPage[] {
  return [...markdown].flatMap(([path, text]) => {
    // Comments in code begin like headings.
    const prose = text.replace(/^```.*?^```/gms, '')
    const [title, ...headings] = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, name = '']) => name.replaceAll('`', ''))
    return title === undefined ? [] : [{ path, title, headings }]
  })
}

/** Finds the operations, schemas and headings of guides that contain every word of a query, ignoring case. */
export function searchReference(
  { headings, schemas }: Reference,
  pages: readonly DocumentedPage[],
  query: string
): SearchResult {
  const words = new Set(query.toLowerCase().split(/\s+/).filter(Boolean))
  const matches = (text: string) => {
    const lower = text.toLowerCase()
    return [...words].every((word) => lower.includes(word))
  }
  const found = headings
    .map((heading) => ({
      ...heading,
      operations: heading.operations.filter((operation) => matches(textOf(operation, heading.name)))
    }))
    .filter(({ operations }) => operations.length > 0)
  const names = Object.keys(schemas).filter(matches).sort()
  const sections = pages.flatMap((page) => findSections(page, matches))
  return {
    headings: found,
    schemas: names,
    sections,
    count: found.reduce((sum, { operations }) => sum + operations.length, names.length + sections.length)
  }
}

/** Returns the page if its title matches, otherwise those of its sections whose headings match. */
function findSections(
  { path, title, headings }: DocumentedPage,
  matches: (text: string) => boolean
): readonly Section[] {
  if (matches(title)) return [{ path, title }]
  return headings.filter(matches).map((heading) => ({ path, title, heading }))
}

function textOf({ id, method, path, summary, description }: OperationEntry, heading: string): string {
  return [heading, id, method, path, summary, description].join(' ')
}
