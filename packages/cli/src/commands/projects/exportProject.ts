import { choice, optionalChoice, parseText, UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { fileFormats, splits } from '../../document/fileFormats.ts'
import { sectionNames } from '../../document/projectDocument.ts'
import { formatCount } from '../../output/formatCount.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { projectSettings } from '../../run/settings.ts'
import { nameFolder } from './fileSettings.ts'

/** The settings of commands that write files. */
export const formatSettings = {
  format: {
    variable: false,
    placeholder: 'format',
    help: 'The format: yaml (the default) or json.',
    ...optionalChoice(fileFormats)
  },
  split: {
    variable: false,
    placeholder: 'by',
    help: 'How to split the export into files: feature (a file for each feature, the default), kind, or none.',
    ...optionalChoice(splits)
  }
} as const

/** `burgee export` */
export const exportProject = apiCommand({
  name: 'export',
  summary: 'Export a project as files for burgee plan and burgee import.',
  settings: {
    out: {
      variable: false,
      placeholder: 'folder',
      help: 'Folder to write to. If empty, standard output.',
      parse: parseText
    },
    only: {
      kind: 'list',
      placeholder: 'section',
      help: `Only this section: ${sectionNames.join(', ')}. Repeatable.`,
      ...choice(sectionNames)
    },
    environments: {
      kind: 'list',
      placeholder: 'key',
      help: 'Only the configurations of this environment. Repeatable.',
      parse: parseText
    },
    ...formatSettings,
    ...projectSettings
  },
  details:
    'Contains no ids, dates, SDK keys or signing secrets: two exports of the same state are equal.\n\nExample:\n  burgee export --project shop > shop.yaml',
  run: async ({ settings }, session) => {
    const { readProject } = await import('../../plan/project/readProject.ts')
    const { formatFile } = await import('../../document/write/formatFile.ts')
    const { only, environments, out } = settings
    const project = session.project()
    const { document: all, environments: known } = await readProject(session, project)
    assertKnown(
      environments,
      known.map(({ key }) => key)
    )
    const selected = only.length > 0 ? only : sectionNames
    const document = {
      customProperties: {},
      audiences: {},
      variables: {},
      metrics: {},
      webhooks: {},
      settings: {},
      ...Object.fromEntries(selected.map((section) => [section, all[section]])),
      features: selected.includes('features') ? selectEnvironments(all.features, environments) : {}
    }
    const format = settings.format || 'yaml'
    if (out !== '') {
      const { writeDocument } = await import('../../document/write/writeFiles.ts')
      const files = await writeDocument(out, document, { project, split: settings.split || 'feature', format })
      return {
        data: { project, files },
        text: () => `Wrote ${formatCount(files.length, 'file')} to ${nameFolder(out)}.`
      }
    }
    const { schemaFor } = await import('../../document/write/writeFiles.ts')
    const text = formatFile(document, { project, schema: schemaFor('project.yaml') }, format)
    session.terminal.write(text)
    return { data: undefined, text: () => '' }
  }
})

/** @throws {UsageError} if a key is that of no environment. */
function assertKnown(keys: readonly string[], known: readonly string[]): void {
  const unknown = keys.find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new UsageError(
    `there is no environment "${unknown}"${suggestion(unknown, known)}: --environments should be one of ${known.join(', ')}`
  )
}

type Features = Readonly<Record<string, { readonly [member: string]: unknown }>>

function selectEnvironments(features: Features, keys: readonly string[]): Features {
  if (keys.length === 0) return features
  return Object.fromEntries(
    Object.entries(features).map(([key, feature]) => {
      const configurations = Object.entries((feature.environments ?? {}) as object)
      return [
        key,
        { ...feature, environments: Object.fromEntries(configurations.filter(([name]) => keys.includes(name))) }
      ]
    })
  )
}
