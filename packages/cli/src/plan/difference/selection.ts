import type { Management } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { createMatcher, formatPath, membersOf, withValue } from '../../document/members.ts'
import {
  type ProjectDocument,
  type Resource,
  sectionNames,
  sectionOf,
  sections
} from '../../document/projectDocument.ts'
import type { Plan } from './createPlan.ts'

type IsSelected = (path: string) => boolean

/** Returns a document with only the members that are selected. */
export function selectMembers(document: ProjectDocument, isSelected: IsSelected): ProjectDocument {
  const chosen = sectionNames.map((section) => {
    const resources = Object.entries(document[section]).flatMap(([key, resource]) => {
      const members = membersOf(sections[section], resource).filter(({ path }) => {
        return isSelected(formatPath([section, key, ...path]))
      })
      const whole = members.reduce<Resource>((part, { path, value }) => withValue(part, path, value), {})
      return members.length > 0 || isSelected(formatPath([section, key])) ? [[key, whole] as const] : []
    })
    return [section, Object.fromEntries(resources)] as const
  })
  // Each section has its resources.
  return Object.fromEntries(chosen) as ProjectDocument
}

/** Asserts that each pattern selects something of the files, or that they described. @throws {UsageError} */
export function assertFound(patterns: readonly string[], files: ProjectDocument, own: Management | undefined): void {
  const described = sectionNames.flatMap((section) =>
    Object.entries(files[section]).flatMap(([key, resource]) => {
      const members = membersOf(sections[section], resource).map(({ path }) => formatPath([section, key, ...path]))
      return [formatPath([section, key]), ...members]
    })
  )
  const before = (own?.resources ?? []).map(({ kind, key }) => formatPath([sectionOf(kind), key]))
  const known = [...described, ...before]
  for (const pattern of patterns) {
    if (known.some(createMatcher([pattern]))) continue
    throw new UsageError(`--only ${pattern} is not in the files${suggestion(pattern, [...sectionNames, ...known])}`)
  }
}

/** Asserts that resources are created with all that files describe of them. @throws {UsageError} */
export function assertCreatedAsWhole({ changes }: Plan, files: ProjectDocument, isSelected: IsSelected): void {
  for (const { section, key, action } of changes) {
    if (action !== 'create' || isSelected(formatPath([section, key]))) continue
    const left = membersOf(sections[section], files[section][key] ?? {}).find(({ path }) => {
      return !isSelected(formatPath([section, key, ...path]))
    })
    if (left) {
      const name = formatPath([section, key])
      throw new UsageError(`${name} does not exist yet, so it is created as a whole: pass --only ${name}`)
    }
  }
}
