import { ApiError, type Client, collect } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import type { Terminal } from './terminal.ts'

/** Prompts for a project from a list. Returns its key, or `undefined` for none or without a terminal. */
export async function chooseProject(client: Client, { print, ask }: Terminal): Promise<string | undefined> {
  if (!ask) return undefined
  const query = { sortBy: 'name', sortOrder: 'asc' } as const
  const projects = await collect(client.listProjects, { query })
  if (projects.length === 0) return undefined
  print('Projects:')
  for (const [index, { key, name }] of projects.entries()) print(`  ${index + 1}  ${key}  ${name}`)
  while (true) {
    const answer = (await ask('Default project (number or key, Enter for none): ')).trim()
    if (answer === '') return undefined
    // A key can look like a number, and takes precedence.
    const chosen = projects.find(({ key }) => key === answer) ?? projects[Number(answer) - 1]
    if (chosen) return chosen.key
    print(`There is no project ${JSON.stringify(answer)}.`)
  }
}

/** Returns the key of an existing project. @throws {UsageError} when it is missing. */
export async function getProjectKey(client: Client, key: string): Promise<string> {
  const project = await client.getProject({ params: { key } }).catch((cause) => {
    if (!(cause instanceof ApiError) || cause.status !== 404) throw cause
    throw new UsageError(`project ${JSON.stringify(key)} does not exist, or this account cannot see it`, { cause })
  })
  return project.key
}
