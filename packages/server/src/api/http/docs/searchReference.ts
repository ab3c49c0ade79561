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

/** Finds the operations, schemas and headings of guides that contain every word of a query, ignoring case. */
export function searchReference(
  { headings, schemas }: Reference,
  markdown: ReadonlyMap<string, string>,
  query: string
): SearchResult {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const found = headings
    .map((heading) => ({
      ...heading,
      operations: heading.operations.filter((operation) => matches(textOf(operation, heading.name)))
    }))
    .filter(({ operations }) => operations.length > 0)
  const names = Object.keys(schemas).filter(matches).sort()
  const sections = [...markdown].flatMap(([path, text]) => findSections(path, text, matches))
  return {
    headings: found,
    schemas: names,
    sections,
    count: found.reduce((sum, { operations }) => sum + operations.length, names.length + sections.length)
  }
}

/** Returns the page if its title matches, otherwise those of its sections whose headings match. */
function findSections(path: string, text: string, matches: (text: string) => boolean): readonly Section[] {
  // Comments in code begin like headings.
  const prose = text.replace(/^```.*?^```/gms, '')
  const [title, ...rest] = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))
  if (title === undefined) return []
  if (matches(title)) return [{ path, title }]
  return rest.filter(matches).map((heading) => ({ path, title, heading }))
}

function textOf({ id, method, path, summary, description }: OperationEntry, heading: string): string {
  return [heading, id, method, path, summary, description].join(' ')
}
