import { setTimeout } from 'node:timers/promises'
import { describeNetworkError } from '@burgee/contract/client'
import type { ProjectChange } from '@burgee/contract/schemas'
import { isRecord, parseJson } from '@burgee/kit'
import { parseInteger, pickSettings } from '@burgee/kit/settings'
import { escapeLine } from '@burgee/kit/text'
import { changeWords } from '../../output/formatChange.ts'
import { outputSettings } from '../../output/outputSettings.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { openChanges } from '../../run/changeStream.ts'
import { ResponseError } from '../../run/failures/errors.ts'
import type { Session } from '../../run/session.ts'
import { projectSettings } from '../../run/settings.ts'

/** How long to wait before the stream is opened again after it ended. */
const RECONNECT_MS = 2000

/** `burgee watch` */
export const watch = apiCommand({
  name: 'watch',
  summary: 'Print the changes of a project, or of one flag, as they are made.',
  arguments: ['[flag]'],
  settings: {
    number: {
      short: '-n',
      variable: false,
      default: '0',
      defaultWords: 'no limit',
      placeholder: 'count',
      help: 'Stop after this many changes. 0 continues until it is interrupted.',
      parse: parseInteger(0)
    },
    ...projectSettings,
    ...pickSettings(outputSettings, 'output', 'json')
  },
  details:
    'Without a terminal, prints one line of JSON for each change. If the connection\nends, it continues with the next change.\n\nExample:\n  burgee watch --project shop',
  run: async ({ arguments: [key], settings: { number, output, json } }, session) => {
    const { terminal, client, project } = session
    // A misspelled key would be watched for ever.
    if (key !== undefined) await client.getFeature({ params: { project: project(), feature: key } })
    const isForPeople = !json && (output === '' ? terminal.isTerminal : output === 'table')
    let count = 0
    for await (const change of followChanges(session)) {
      if (key !== undefined && (change.resource.type !== 'feature' || change.resource.key !== key)) continue
      terminal.write(`${isForPeople ? formatChange(change) : JSON.stringify(change)}\n`)
      count++
      if (count === number) break
    }
    return { data: undefined, text: () => '' }
  }
})

/** Follows the stream of changes, and opens it again when it ends. */
async function* followChanges(session: Session): AsyncGenerator<ProjectChange> {
  let lastEventId: string | undefined
  for (let isFirst = true; ; isFirst = false) {
    try {
      for await (const { event, id, data } of await openChanges(session, { lastEventId })) {
        lastEventId = id ?? lastEventId
        if (event === 'reset') session.terminal.notice(`some changes were missed: see ${session.suggest('audit')}`)
        else yield readChange(data)
      }
    } catch (error) {
      const reason = describeNetworkError(error)
      // A server that never answered, or refuses, needs a person.
      if (isFirst || reason === undefined) throw error
      session.terminal.notice(`the server ${reason}; retrying`)
    }
    await setTimeout(RECONNECT_MS)
  }
}

/** Reads a message of the stream. @throws {ResponseError} if it is no change. */
function readChange(data: string): ProjectChange {
  const change = parseJson(data)
  const { at, types, resource, environments } = isRecord(change) ? change : {}
  // The types of later versions are not known.
  const isChange = typeof at === 'string' && isTexts(types) && isRecord(resource) && isTexts(environments)
  if (isChange) return change as ProjectChange
  throw new ResponseError(
    'the server does not respond like a Burgee server: the stream has a message that is not a change'
  )
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function formatChange({ at, idp_user: by, types, resource, environments }: ProjectChange): string {
  const what = types.map(changeWords).join(', ')
  const where = environments.length > 0 ? ` in ${environments.join(', ')}` : ''
  return escapeLine(`${at.slice(11, 19)}  ${resource.key ?? resource.type}: ${what}${where}, by ${by}`)
}
