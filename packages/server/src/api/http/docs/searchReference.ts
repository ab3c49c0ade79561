import type { JsonSchema } from './openApi.ts'
import type { Heading, OperationEntry, Reference } from './reference.ts'

/** The result of a search. Headings contain only the operations that match. */
interface SearchResult {
  readonly headings: readonly Heading[]
  readonly schemas: readonly FoundSchema[]
  readonly sections: readonly Section[]
  /** The number of operations, schemas and sections. */
  readonly count: number
}

/** A schema, and its members that match; none if its name matches. */
interface FoundSchema {
  readonly name: string
  readonly members: readonly string[]
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

/**
 * Finds the operations, schemas, members of schemas, and headings of guides that contain every word of a query,
 * ignoring case.
 */
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
  const foundSchemas = Object.entries(schemas)
    .map(([name, schema]) => ({ name, ...findMembers(name, schema, matches) }))
    .filter(({ isFound }) => isFound)
    .map(({ name, members }) => ({ name, members }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const sections = pages.flatMap((page) => findSections(page, matches))
  return {
    headings: found,
    schemas: foundSchemas,
    sections,
    count: found.reduce((sum, { operations }) => sum + operations.length, foundSchemas.length + sections.length)
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

/** Returns whether a schema matches: its name, or the names of members together with it. */
function findMembers(name: string, schema: JsonSchema, matches: (text: string) => boolean) {
  if (matches(name)) return { isFound: true, members: [] }
  const members = [...new Set(memberNames(schema))].filter((member) => matches(`${name} ${member}`))
  return { isFound: members.length > 0, members }
}

/** Returns the names of the members of a schema, including those of objects inside it. */
function memberNames({ properties = {}, items, additionalProperties, ...unions }: JsonSchema): readonly string[] {
  const { anyOf = [], oneOf = [], allOf = [] } = unions
  const inside = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined]
  const nested = [...Object.values(properties), ...inside, ...anyOf, ...oneOf, ...allOf]
  return [...Object.keys(properties), ...nested.flatMap((schema) => (schema ? memberNames(schema) : []))]
}

function textOf({ id, method, path, summary, description }: OperationEntry, heading: string): string {
  return [heading, id, method, path, summary, description].join(' ')
}
