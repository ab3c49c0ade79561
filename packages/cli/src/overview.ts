import { UsageError } from '@burgee/kit/settings'
import { wrap } from './output/formatColumns.ts'
import { credentialVariable } from './profiles/credentialSettings.ts'
import type { Terminal } from './run/terminal.ts'
import { sections } from './sections.ts'

/** Prints what `burgee` is for, and what to do next, to a person. @throws {UsageError} for a program, as on a lost word. */
export async function printOverview(terminal: Terminal): Promise<void> {
  if (!terminal.isTerminal) throw new UsageError('a command is missing: burgee --help lists the commands')
  const width = Math.max(...Object.keys(sections).map((heading) => heading.length))
  const jobs = Object.entries(sections).flatMap(([heading, words]) => {
    const lines = wrap(words.join(', '), terminal.width - width - 4)
    return lines.map((line, index) => `  ${(index === 0 ? heading : '').padEnd(width)}  ${line}`)
  })
  const lines = [
    ...wrap('burgee manages feature flags from a terminal or a pipeline.', terminal.width),
    '',
    ...jobs,
    '',
    ...(await nextStep(terminal)),
    '',
    ...wrap('All commands, with one for each operation of the API: burgee --help', terminal.width),
    ...wrap('One command, with examples: burgee <command> --help', terminal.width)
  ]
  terminal.write(`${lines.join('\n')}\n`)
}

async function nextStep(terminal: Terminal): Promise<readonly string[]> {
  const { environment, profiles: file, credentials } = terminal
  const { current, profiles } = await file.read()
  const profile = current === undefined ? undefined : profiles[current]
  const server = environment.BURGEE_URL || profile?.server
  const hasOwn = credentialVariable(environment) !== undefined
  const isSignedIn = hasOwn || (server !== undefined && (await (await credentials()).read(server)) !== undefined)
  if (server === undefined || !isSignedIn) {
    return [`Next: burgee login --server ${server ?? 'https://flags.example.com'}`]
  }
  const project = environment.BURGEE_PROJECT || profile?.project
  return [
    `Server: ${server}${project ? `, project ${project}` : ''}`,
    `Next: burgee flags list${project ? '' : ' --project <key>; burgee projects list shows the keys'}`
  ]
}
