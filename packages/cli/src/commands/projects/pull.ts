import { formatCount } from '../../output/formatCount.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { projectSettings } from '../../run/settings.ts'
import { quoteWord } from '../../run/suggestCommand.ts'
import { formatSettings } from './exportProject.ts'
import { DEFAULT_PATH, filesArgument, nameFolder, pathsOf } from './fileSettings.ts'

/** `burgee pull` */
export const pull = apiCommand({
  name: 'pull',
  summary: 'Write the current state of a project into files.',
  arguments: filesArgument,
  settings: { ...formatSettings, ...projectSettings },
  details: [
    'Without files, writes the whole project. With files, updates the members that they',
    `describe, and leaves everything else as it is. Without files: those of state.files in`,
    `burgee.yaml, else the folder ${DEFAULT_PATH}.`,
    '',
    'Example:',
    '  burgee pull flags --project shop'
  ].join('\n'),
  run: async ({ arguments: given, settings }, session) => {
    const { findFiles, readFiles } = await import('../../document/read/readFiles.ts')
    const { readProject } = await import('../../plan/project/readProject.ts')
    const paths = pathsOf(given, session)
    const existing = await findFiles(paths).catch(() => [])
    if (existing.length === 0) {
      const { writeDocument } = await import('../../document/write/writeFiles.ts')
      const [folder = DEFAULT_PATH] = paths
      const project = session.project()
      const { document } = await readProject(session, project)
      const split = settings.split || 'feature'
      const written = await writeDocument(folder, document, { project, split, format: settings.format || 'yaml' })
      return {
        data: { project, files: written },
        text: () =>
          `Wrote ${formatCount(written.length, 'file')} to ${nameFolder(folder)}. Next: ${session.suggest(`plan ${quoteWord(folder)}`)}`
      }
    }
    const { updateFiles } = await import('../../document/write/updateFiles.ts')
    const { unmaskUrls } = await import('../../plan/project/webhooks.ts')
    const { createMatcher } = await import('../../document/members.ts')
    const described = await readFiles(paths, session.suggest)
    const project = session.givenProject || described.project || session.project()
    const { document } = await readProject(session, project)
    const changes = await updateFiles(
      described,
      unmaskUrls(document, described.document),
      createMatcher(described.manage.ignore ?? [])
    )
    return {
      data: { project, changes },
      text: () => {
        if (changes.length === 0) return `The files describe ${project} as it is.`
        return changes
          .map(({ file, resource, path }) => `${file}: ${resource} ${path === '' ? 'no longer exists: removed' : path}`)
          .join('\n')
      }
    }
  }
})
