import type { Heading, OperationEntry, Reference } from './reference.ts'

/** The result of a search. Headings contain only the operations that match. */
interface SearchResult {
  readonly headings: readonly Heading[]
  readonly schemas: readonly string[]
  /** The number of operations and schemas. */
  readonly count: number
}

/** Finds the operations and schemas that contain every word of a query, ignoring case. */
export function searchReference({ headings, schemas }: Reference, query: string): SearchResult {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const found = headings
    .map((heading) => ({
      ...heading,
      operations: heading.operations.filter((operation) => matches(textOf(operation, heading.name)))
    }))
    .filter(({ operations }) => operations.length > 0)
  const names = Object.keys(schemas).filter(matches).sort()
  return {
    headings: found,
    schemas: names,
    count: found.reduce((sum, { operations }) => sum + operations.length, names.length)
  }
}

function textOf({ id, method, path, summary, description }: OperationEntry, heading: string): string {
  return [heading, id, method, path, summary, description].join(' ')
}
