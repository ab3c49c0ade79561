import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { REPOSITORY_FILE } from '../fileFormats.ts'
import type { ProjectFile } from '../fileSchema.ts'
import { formatPath, formatPlace, placeIn } from '../members.ts'
import {
  type ProjectDocument,
  type ReferenceIssue,
  type ReferenceKind,
  type Resource,
  type Section,
  sectionNames
} from '../projectDocument.ts'
import type { Suggest } from '../suggest.ts'
import { type FileText, parseFileText } from './fileText.ts'
import { normalizeFile } from './normalizeFile.ts'
import { type ParsedParts, parseParts } from './parseParts.ts'
import type { ValidationIssue } from './validationIssues.ts'

/** What files describe. */
export interface DescribedProject {
  readonly document: ProjectDocument
  /** The project that the files name. */
  readonly project: string | undefined
  readonly manage: NonNullable<ProjectFile['manage']>
  readonly files: readonly FileText[]
  /** The issues of the files, each with its place. The document omits the parts with issues. */
  readonly issues: readonly string[]
  /** Whether a part of the files with issues, which is omitted, may describe this. */
  readonly mayBeOmitted: (kind: ReferenceKind, key: string) => boolean
  /** Returns the place of a resource. */
  readonly placeOf: (section: Section, key: string) => string
  /** Describes issues of the document with their places, except where the files have other issues. */
  readonly describeIssues: (issues: readonly ReferenceIssue[]) => readonly string[]
}

/** Returns the paths of the files at some paths: files, and the YAML and JSON files in folders. @throws {UsageError} */
export async function findFiles(paths: readonly string[], suggest?: Suggest): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch((error) => {
        if (!hasCode(error, 'ENOENT'))
          throw new UsageError(`${path} cannot be read: ${error.message}`, { cause: error })
        throw new UsageError(
          `there is no file or folder ${path}${suggest ? `: write one with ${suggest(`pull ${path}`)}` : ''}`
        )
      })
      if (!stats.isDirectory()) return [path]
      const names = await readdir(path, { recursive: true })
      return names.filter(isProjectFile).map((name) => join(path, name))
    })
  )
  return [...new Set(found.flat())].sort()
}

/** Whether a file in a folder can describe a project. `burgee.yaml` has the settings of a repository. */
function isProjectFile(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) && basename(name) !== REPOSITORY_FILE && !isHidden(name)
}

function isHidden(name: string): boolean {
  return name.split(/[\\/]/).some((part) => part.startsWith('.') || part === 'node_modules')
}

/** Reads the files at some paths, checks them, and merges them. @throws {UsageError} with the place of every issue. */
export async function readFiles(paths: readonly string[], suggest?: Suggest): Promise<DescribedProject> {
  const described = await readFilesWithIssues(paths, suggest)
  if (described.issues.length > 0) throw new UsageError(joinIssues(described.issues))
  return described
}

/** Returns issues as lines, in the order of the files. */
export function joinIssues(issues: readonly string[]): string {
  return [...issues].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).join('\n')
}

/**
 * Reads files, collects their issues, and merges the parts without issues.
 * @throws {UsageError} if there are none.
 */
export async function readFilesWithIssues(paths: readonly string[], suggest?: Suggest): Promise<DescribedProject> {
  const found = await findFiles(paths, suggest)
  if (found.length === 0) {
    throw new UsageError(
      `there are no YAML or JSON files in ${paths.join(', ')}${suggest ? `: write some with ${suggest('pull')}` : ''}`
    )
  }
  const issues: string[] = []
  const files: ParsedFile[] = []
  for (const path of found) {
    const local = relative('.', path)
    const shown = local.startsWith('..') ? path : local
    const text = parseFileText(shown, await readFile(path, 'utf8'))
    issues.push(...text.issues)
    if (text.issues.length === 0 && (text.value === null || text.value === undefined)) {
      issues.push(
        `${shown} is empty: a file starts with "burgee: 1"${suggest ? `; to write one, ${suggest('pull')}` : ''}`
      )
      continue
    }
    if (text.value === undefined) continue
    const parts = parseParts(text.value)
    issues.push(...parts.issues.map((issue) => describe(issue, text)))
    if (parts.content) files.push({ text, parts, content: parts.content })
  }
  return mergeFiles(files, issues, files.length === found.length)
}

interface ParsedFile {
  readonly text: FileText
  readonly parts: ParsedParts
  /** The content of the parts. */
  readonly content: ProjectFile
}

/** @param isWhole Whether at least a part of each file can be read. */
function mergeFiles(files: readonly ParsedFile[], issues: readonly string[], isWhole: boolean): DescribedProject {
  const all = [...issues]
  const places = new Map<string, ParsedFile>()
  const document: Record<Section, Record<string, Resource>> = emptyDocument()
  let project: string | undefined
  let manage: DescribedProject['manage'] = {}
  for (const file of files) {
    const { text, content } = file
    if (project !== undefined && content.project !== undefined && content.project !== project) {
      all.push(`${text.placeOf(['project'])}: the project is "${content.project}", and "${project}" in another file`)
    }
    project ??= content.project
    manage = { ...manage, ...content.manage, ignore: [...(manage.ignore ?? []), ...(content.manage?.ignore ?? [])] }
    const { resources, issues } = normalizeFile(content)
    all.push(...issues.flatMap((issue) => describePart(issue, file)))
    for (const section of sectionNames) {
      for (const [key, resource] of Object.entries(resources[section])) {
        const name = formatPath([section, key])
        const other = places.get(name)
        if (other) {
          all.push(
            `${text.placeOfName(placeIn([section, key]))}: ${name} is described in ${other.text.placeOfName(placeIn([section, key]))} already`
          )
          continue
        }
        places.set(name, file)
        document[section][key] = resource
      }
    }
  }
  const omittedNames = new Set(files.flatMap(({ parts }) => [...parts.omittedNames]))
  return {
    document,
    project,
    manage,
    files: files.map(({ text }) => text),
    issues: all,
    mayBeOmitted: (kind, key) => omittedNames.has(key) || (!isWhole && kind !== 'environment'),
    placeOf: (section, key) => {
      return places.get(formatPath([section, key]))?.text.placeOf(placeIn([section, key])) ?? ''
    },
    describeIssues: (issues) =>
      issues.flatMap((issue) => {
        const { section, key, path, message } = issue
        const file = places.get(formatPath([section, key]))
        return file ? describePart({ path: placeIn([section, key, ...path]), message }, file) : [describeIssue(issue)]
      })
  }
}

/** Describes an issue of a document without files. */
export function describeIssue({ section, key, path, message }: ReferenceIssue): string {
  return `${formatPlace([section, key, ...path])} ${message}`
}

/** Describes an issue at a path of the content of a file; nothing if the file has another issue there. */
function describePart({ path, message }: ValidationIssue, { text, parts }: ParsedFile): readonly string[] {
  const original = parts.originalPath(path)
  return parts.isOmitted(original) ? [] : [describe({ path: original, message }, text)]
}

/** Describes an issue with its place. */
function describe({ path, message, isName }: ValidationIssue, text: FileText): string {
  const member = path.length > 0 ? `${formatPlace(path)} ` : ''
  return `${isName ? text.placeOfName(path) : text.placeOf(path)}: ${member}${message}`
}

/** A project without resources. */
export function emptyDocument(): Record<Section, Record<string, Resource>> {
  return { customProperties: {}, audiences: {}, variables: {}, features: {}, metrics: {}, webhooks: {}, settings: {} }
}
