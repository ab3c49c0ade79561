import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { z } from 'zod'
import { ProjectFile } from './fileSchema.ts'
import { type FileText, parseFileText } from './fileText.ts'
import { normalizeFile } from './normalizeFile.ts'
import { type ProjectDocument, type Resource, type Section, sectionNames } from './projectDocument.ts'

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
export async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch((error) => {
        if (!hasCode(error, 'ENOENT'))
          throw new UsageError(`${path} cannot be read: ${error.message}`, { cause: error })
        throw new UsageError(`there is no file or folder ${path}: write one with burgee pull ${path}`)
      })
      if (!stats.isDirectory()) return [path]
      const names = await readdir(path, { recursive: true })
      return names.filter((name) => /\.(ya?ml|json)$/.test(name) && !isHidden(name)).map((name) => join(path, name))
    })
  )
  return [...new Set(found.flat())].sort()
}

function isHidden(name: string): boolean {
  return name.split(/[\\/]/).some((part) => part.startsWith('.') || part === 'node_modules')
}

/** Reads the files at some paths, checks them, and merges them. @throws {UsageError} with the place of every mistake. */
export async function readFiles(paths: readonly string[]): Promise<DescribedProject> {
  const found = await findFiles(paths)
  if (found.length === 0) {
    throw new UsageError(`there are no YAML or JSON files in ${paths.join(', ')}: write some with burgee pull`)
  }
  const mistakes: string[] = []
  const files: { readonly text: FileText; readonly content: ProjectFile }[] = []
  for (const path of found) {
    const local = relative('.', path)
    const shown = local.startsWith('..') ? path : local
    try {
      const text = parseFileText(shown, await readFile(path, 'utf8'))
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
        const name = `${section}.${key}`
        const other = places.get(name)
        if (other) {
          mistakes.push(
            `${text.placeOf([section, key])}: ${name} is described in ${other.placeOf([section, key])} already`
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
    placeOf: (section, key, path = []) => places.get(`${section}.${key}`)?.placeOf([section, key, ...path]) ?? ''
  }
}

function emptyDocument(): Record<Section, Record<string, Resource>> {
  return { customProperties: {}, audiences: {}, variables: {}, features: {}, metrics: {} }
}

type Issue = z.core.$ZodIssue

/** Describes each issue with its place. */
function describe({ issues }: z.ZodError, text: FileText): readonly string[] {
  return issues
    .flatMap((issue) => explain(issue, []))
    .map(({ path, message }) => {
      const member = path.length > 0 ? `${path.join('.')} ` : ''
      return `${text.placeOf(path)}: ${member}${message}`
    })
}

/** Returns the issues of the form that was meant, where a value can have several forms. */
function explain(issue: Issue, base: readonly PropertyKey[]): readonly { path: PropertyKey[]; message: string }[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `is not known${suggestion(key, knownMembers)}` }))
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((errors) => errors.length > 0 && errors.every((error) => error.path.length > 0))
    if (meant) return meant.flatMap((error) => explain(error, path))
    const forms = issue.errors.flatMap((errors) => errors.map(({ message }) => message))
    return [{ path, message: [...new Set(forms)].join(', or ') }]
  }
  return [{ path, message: issue.message.replace(/^Invalid input: /, 'is invalid: ') }]
}

const knownMembers: readonly string[] = [
  ...sectionNames,
  'project',
  'manage',
  'environments',
  'variations',
  'targets',
  'status',
  'description',
  'visibility',
  'rollout',
  'serve',
  'values',
  'bucketingKey'
]
