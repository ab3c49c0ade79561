import { isRecord } from '@burgee/kit'
import { writeFileAtomic } from '@burgee/kit/files'
import { isCollection, isMap, isNode, isScalar, type Node } from 'yaml'
import { formatPath, isEqual, membersOf, placeIn, valueAt } from '../members.ts'
import {
  type ProjectDocument,
  type Resource,
  SETTINGS_KEY,
  type Section,
  sectionNames,
  sections
} from '../projectDocument.ts'
import type { FileText } from '../read/fileText.ts'
import type { DescribedProject } from '../read/readFiles.ts'
import { formatMember } from './formatFile.ts'

/** A member of a file that differs from the server. */
export interface FileChange {
  readonly file: string
  readonly resource: string
  /** Empty if the resource does not exist any more. */
  readonly path: string
}

/**
 * Writes into files what the server has of the members that they describe. Comments and other members stay.
 */
export async function updateFiles(
  { files, document }: DescribedProject,
  server: ProjectDocument,
  isIgnored: (path: string) => boolean
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = []
  for (const file of files) {
    const changed = sectionNames.flatMap((section) =>
      keysIn(file, section).flatMap((key) => {
        const resource = document[section][key]
        return resource ? updateResource(file, section, key, resource) : []
      })
    )
    if (changed.length > 0) await writeFileAtomic(file.path, formatText(file))
    changes.push(...changed)
  }
  return changes

  function updateResource(file: FileText, section: Section, key: string, resource: Resource): readonly FileChange[] {
    const current = server[section][key]
    const name = formatPath([section, key])
    if (!current) {
      file.document.deleteIn(placeIn([section, key]))
      return [{ file: file.path, resource: name, path: '' }]
    }
    return membersOf(sections[section], resource).flatMap(({ path, value }) => {
      const now = valueAt(current, path)
      if (isIgnored(formatPath([section, key, ...path])) || isEqual(now, value)) return []
      const place = placeIn([section, key, ...path])
      if (now === undefined) file.document.deleteIn(place)
      else replaceValue(file, place, formatMember(section, path, now))
      return [{ file: file.path, resource: name, path: formatPath(path) }]
    })
  }
}

/** Returns the keys of the resources that a file describes in a section. */
function keysIn({ value }: FileText, section: Section): readonly string[] {
  const described = isRecord(value) ? value[section] : undefined
  if (!isRecord(described)) return []
  return section === 'settings' ? [SETTINGS_KEY] : Object.keys(described)
}

/** Sets a value, which keeps the comments and the style of the previous one. */
function replaceValue({ document }: FileText, place: readonly (string | number)[], value: unknown): void {
  const before = document.getIn(place, true)
  const node = document.createNode(value) as Node
  if (isMap(node)) node.flow = false
  if (isNode(before)) {
    const { comment, commentBefore, spaceBefore } = before
    Object.assign(node, definedOf({ comment, commentBefore, spaceBefore }))
    if (isCollection(before) && isCollection(node)) Object.assign(node, definedOf({ flow: before.flow }))
    if (isScalar(before) && isScalar(node) && typeof before.value === typeof node.value) {
      Object.assign(node, definedOf({ type: before.type }))
    }
  }
  document.setIn(place, node)
}

function definedOf(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

function formatText({ path, document }: FileText): string {
  if (path.endsWith('.json')) return `${JSON.stringify(document.toJS(), null, 2)}\n`
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}
