import { dirname, join, relative } from 'node:path'
import { makeFolder, writeFileAtomic } from '@burgee/kit/files'
import type { FileFormat, Split } from '../fileFormats.ts'
import { type ProjectDocument, sectionNames } from '../projectDocument.ts'
import { formatFile } from './formatFile.ts'

/** A part of a project in a file. */
interface Part {
  readonly name: string
  readonly document: Partial<ProjectDocument>
}

/** Divides a project. Features can have a file each; everything else is in one file for each section, or in one. */
export function splitDocument(document: ProjectDocument, split: Split): readonly Part[] {
  if (split === 'none') return [{ name: 'project', document }]
  const filled = sectionNames.filter((section) => Object.keys(document[section]).length > 0)
  if (split === 'kind') return filled.map((section) => ({ name: section, document: { [section]: document[section] } }))
  const { features, ...rest } = document
  const shared = filled.some((section) => section !== 'features') ? [{ name: 'project', document: rest }] : []
  const own = Object.entries(features).map(([key, feature]) => ({
    name: join('features', key),
    document: { features: { [key]: feature } }
  }))
  return [...shared, ...own]
}

/** Where the JSON Schema is, if the command line is a dependency of the repository. */
const SCHEMA = 'node_modules/@burgee/cli/dist/project.schema.json'

/** Returns the reference of a file to the JSON Schema. */
export function schemaFor(path: string): string {
  return relative(dirname(path), SCHEMA).replaceAll('\\', '/')
}

/** Writes a project into a folder, and returns the paths of the files. */
export async function writeDocument(
  folder: string,
  document: ProjectDocument,
  { project, split, format }: { readonly project: string; readonly split: Split; readonly format: FileFormat }
): Promise<readonly string[]> {
  const written: string[] = []
  for (const part of splitDocument(document, split)) {
    const path = join(folder, `${part.name}.${format}`)
    await makeFolder(dirname(path))
    await writeFileAtomic(path, formatFile(part.document, { project, schema: schemaFor(path) }, format))
    written.push(path)
  }
  return written
}
