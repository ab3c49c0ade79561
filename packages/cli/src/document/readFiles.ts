import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { z } from 'zod'
import { explainForms, explainIssue } from './explainIssue.ts'
import { REPOSITORY_FILE } from './fileFormats.ts'
import { ProjectFile } from './fileSchema.ts'
import { type FileText, parseFileText } from './fileText.ts'
import { knownMembers, knownValues } from './knownMembers.ts'
import { formatPath, placeIn } from './members.ts'
import { normalizeFile } from './normalizeFile.ts'
import { type ProjectDocument, type Resource, type Section, sectionNames } from './projectDocument.ts'
import { suggestPlain } from './suggest.ts'

/** What files describe. */
export interface DescribedProject {
  readonly document: ProjectDocument
  /** The project that the files name. */
  readonly project: string | undefined
  readonly manage: NonNullable<ProjectFile['manage']>
  readonly files: readonly FileText[]
  /** Returns the place of a member of a resource. */
  readonly placeOf: (section: Section, key: string, path?: readonly string[]) => string
}

/** Returns the paths of the files at some paths: files, and the YAML and JSON files in folders. @throws {UsageError} */
export async function findFiles(paths: readonly string[], suggest = suggestPlain): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch((error) => {
        if (!hasCode(error, 'ENOENT'))
          throw new UsageError(`${path} cannot be read: ${error.message}`, { cause: error })
        throw new UsageError(`there is no file or folder ${path}: write one with ${suggest(`pull ${path}`)}`)
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

/** Reads the files at some paths, checks them, and merges them. @throws {UsageError} with the place of every mistake. */
export async function readFiles(paths: readonly string[], suggest = suggestPlain): Promise<DescribedProject> {
  const found = await findFiles(paths, suggest)
  if (found.length === 0) {
    throw new UsageError(`there are no YAML or JSON files in ${paths.join(', ')}: write some with ${suggest('pull')}`)
  }
  const mistakes: string[] = []
  const files: { readonly text: FileText; readonly content: ProjectFile }[] = []
  for (const path of found) {
    const local = relative('.', path)
    const shown = local.startsWith('..') ? path : local
    try {
      const text = parseFileText(shown, await readFile(path, 'utf8'))
      if (text.value === null || text.value === undefined) {
        mistakes.push(`${shown} is empty: a file starts with "burgee: 1"; to write one, ${suggest('pull')}`)
        continue
      }
      const { data, error } = ProjectFile.safeParse(text.value)
      if (error) mistakes.push(...describe(error, text))
      else files.push({ text, content: data })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      mistakes.push(error.message)
    }
  }
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
  return mergeFiles(files)
}

function mergeFiles(files: readonly { readonly text: FileText; readonly content: ProjectFile }[]): DescribedProject {
  const mistakes: string[] = []
  const places = new Map<string, FileText>()
  const document: Record<Section, Record<string, Resource>> = emptyDocument()
  let project: string | undefined
  let manage: DescribedProject['manage'] = {}
  for (const { text, content } of files) {
    if (project !== undefined && content.project !== undefined && content.project !== project) {
      mistakes.push(
        `${text.placeOf(['project'])}: the project is "${content.project}", and "${project}" in another file`
      )
    }
    project ??= content.project
    manage = { ...manage, ...content.manage, ignore: [...(manage.ignore ?? []), ...(content.manage?.ignore ?? [])] }
    const { resources, issues } = normalizeFile(content)
    mistakes.push(...issues.map(({ path, message }) => `${text.placeOf(path)}: ${path.join('.')} ${message}`))
    for (const section of sectionNames) {
      for (const [key, resource] of Object.entries(resources[section])) {
        const name = formatPath([section, key])
        const other = places.get(name)
        if (other) {
          mistakes.push(
            `${text.placeOfName(placeIn([section, key]))}: ${name} is described in ${other.placeOfName(placeIn([section, key]))} already`
          )
        }
        places.set(name, text)
        document[section][key] = resource
      }
    }
  }
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
  return {
    document,
    project,
    manage,
    files: files.map(({ text }) => text),
    placeOf: (section, key, path = []) => {
      return places.get(formatPath([section, key]))?.placeOf(placeIn([section, key, ...path])) ?? ''
    }
  }
}

function emptyDocument(): Record<Section, Record<string, Resource>> {
  return { customProperties: {}, audiences: {}, variables: {}, features: {}, metrics: {}, webhooks: {}, settings: {} }
}

type Issue = z.core.$ZodIssue

/** Describes each issue with its place. */
function describe({ issues }: z.ZodError, text: FileText): readonly string[] {
  return issues
    .flatMap((issue) => explain(issue, [], text.value))
    .map(({ path, message, isName }) => {
      const member = path.length > 0 ? `${path.join('.')} ` : ''
      return `${isName ? text.placeOfName(path) : text.placeOf(path)}: ${member}${message}`
    })
}

/** A mistake at a path of a file. */
interface Mistake {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** The name of the member is wrong, and not its value. */
  readonly isName?: true
}

/** Returns the issues of the form that was meant, where a value can have several forms. `file` is the whole value. */
function explain(issue: Issue, base: readonly PropertyKey[], file: unknown): readonly Mistake[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message, isName: true }))
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownMember(path, key))
  if (issue.code === 'invalid_union') {
    const isInside = (error: Issue) => error.path.length > 0 || error.code === 'unrecognized_keys'
    const meant = issue.errors.find((errors) => errors.length > 0 && errors.every(isInside))
    if (meant) return meant.flatMap((error) => explain(error, path, file))
    return issue.errors.some(({ length }) => length > 0)
      ? [{ path, message: explainForms(issue.errors, valueAt(file, path)) }]
      : explainTag(path, file)
  }
  return [{ path, message: explainIssue(issue, valueAt(file, path)) }]
}

function valueAt(file: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], file)
}

/** Explains a member that decides which others there are, and is missing or unknown. */
function explainTag(path: readonly PropertyKey[], file: unknown): readonly Mistake[] {
  const parent = path.slice(0, -1)
  const object = valueAt(file, parent)
  const names = knownMembers(parent)
  const unknown = Object.keys(Object(object)).filter((name) => !names.includes(name))
  if (unknown.length > 0) return unknown.map((name) => unknownMember(parent, name))
  const values = knownValues(path).join(', ')
  const value: unknown = Object(object)[path.at(-1) ?? '']
  return [{ path, message: value === undefined ? `is missing: one of ${values}` : `should be one of ${values}` }]
}

function unknownMember(parent: readonly PropertyKey[], name: string): Mistake {
  const names = knownMembers(parent)
  const nearest = suggestion(name, names)
  const hint = nearest !== '' || names.length === 0 ? nearest : `: it should be one of ${names.join(', ')}`
  return { path: [...parent, name], message: `is not known${hint}`, isName: true }
}
