import { ApiError, type Client, paginate } from '@burgee/contract/client'
import type { Project } from '@burgee/contract/schemas'
import { OptionError } from '../options.ts'
import type { Terminal } from './command.ts'

/** The key of the project that somebody chooses from a list; nothing when they want none, or there is none. */
export async function chooseProject(client: Client, { print, ask }: Terminal): Promise<string | undefined> {
  if (!ask) return undefined
  const projects: Project[] = []
  const query = { sortBy: 'name', sortOrder: 'asc' } as const
  for await (const project of paginate(client.listProjects, { query })) projects.push(project)
  if (projects.length === 0) return undefined
  print('Projects:')
  for (const [index, { key, name }] of projects.entries()) print(`  ${index + 1}  ${key}  ${name}`)
  while (true) {
    const answer = (
      await ask('Which one are calls about that choose none? Its number or key, or Enter for none: ')
    ).trim()
    if (answer === '') return undefined
    // A key can be a number too, and then it is the key that is meant.
    const chosen = projects.find(({ key }) => key === answer) ?? projects[Number(answer) - 1]
    if (chosen) return chosen.key
    print(`There is no project ${JSON.stringify(answer)}.`)
  }
}

/** The key of a project that is there. @throws {OptionError} when it is not. */
export async function projectNamed(client: Client, key: string): Promise<string> {
  const project = await client.getProject({ params: { key } }).catch((error) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    throw new OptionError(`there is no project ${JSON.stringify(key)}, or none that this account may see`, {
      cause: error
    })
  })
  return project.key
}
