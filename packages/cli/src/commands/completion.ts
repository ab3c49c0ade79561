import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Command, command } from '@burgee/kit/commandLine'
import { describeSettings, type Environment, parseBoolean, UsageError } from '@burgee/kit/settings'
import type { Terminal } from '../run/terminal.ts'

/** Returns `burgee completion …`, which completes the given commands and itself. */
export function completionCommands(commands: readonly Command<Terminal>[]): readonly Command<Terminal>[] {
  const scripts = Object.entries(shells).map(([shell, script]) =>
    command({
      name: `completion ${shell}`,
      summary: `Print the completion script for ${shell}.`,
      settings: {
        install: {
          kind: 'switch',
          variable: false,
          help: 'Write it to where the shell loads completions of this user from.',
          parse: parseBoolean
        }
      },
      details: `Examples:\n  burgee completion ${shell} --install\n  ${installs[shell]}`,
      run: async ({ settings: { install } }, { write, environment }: Terminal) => {
        if (!install) {
          write(script)
          return 0
        }
        const { path, next } = placeOf(shell, environment)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, script)
        write(`Wrote ${path}. ${next}\n`)
        return 0
      }
    })
  )
  const words = command({
    name: 'completion words',
    summary: 'Print the words that can follow, one a line. Completion scripts call this.',
    arguments: ['[words...]'],
    settings: {},
    details: 'The last word is the one to complete. Example:\n  burgee completion words -- features li',
    run: async ({ arguments: typed }, { write }: Terminal) => {
      write(
        complete([...commands, ...scripts, words], typed)
          .map((word) => `${word}\n`)
          .join('')
      )
      return 0
    }
  })
  return [...scripts, words]
}

/** Returns the words that can take the place of the last one: commands, or the flags of a command. */
export function complete(
  commands: readonly Pick<Command<Terminal>, 'name' | 'settings'>[],
  typed: readonly string[]
): readonly string[] {
  const current = typed.at(-1) ?? ''
  const before = typed.slice(0, -1).filter((word) => !word.startsWith('-'))
  const names = commands.map((one) => ({ one, words: one.name.split(' ') }))
  const isBelow = (words: readonly string[]) => before.every((word, index) => words[index] === word)
  const next = names.flatMap(({ words }) => (isBelow(words) ? (words[before.length] ?? []) : []))
  const chosen = names
    .filter(({ words }) => words.every((word, index) => before[index] === word))
    .sort((one, other) => other.words.length - one.words.length)[0]
  const flags = chosen ? describeSettings(chosen.one.settings, 'BURGEE_').flatMap(({ flag }) => flag ?? []) : []
  const candidates = current.startsWith('-') ? [...flags, '--help'] : next
  return [...new Set(candidates)].filter((word) => word.startsWith(current)).sort()
}

/** Returns where a shell loads a script from, and what to do next. @throws {UsageError} without a home folder */
function placeOf(shell: string, environment: Environment): { readonly path: string; readonly next: string } {
  const { HOME: home, XDG_DATA_HOME, XDG_CONFIG_HOME, ZDOTDIR } = environment
  if (!home) throw new UsageError('HOME is not set: write the script to a file instead')
  const next = 'It works in new shells.'
  if (shell === 'bash') {
    return { path: join(XDG_DATA_HOME || join(home, '.local/share'), 'bash-completion/completions/burgee'), next }
  }
  if (shell === 'fish') {
    return { path: join(XDG_CONFIG_HOME || join(home, '.config'), 'fish/completions/burgee.fish'), next }
  }
  const folder = join(ZDOTDIR || home, '.zfunc')
  return {
    path: join(folder, '_burgee'),
    next: `Unless ~/.zshrc has it, add before compinit: fpath+=(${folder})`
  }
}

const installs: Readonly<Record<string, string>> = {
  bash: 'burgee completion bash > ~/.local/share/bash-completion/completions/burgee',
  zsh: `burgee completion zsh > "\${fpath[1]}/_burgee"`,
  fish: 'burgee completion fish > ~/.config/fish/completions/burgee.fish'
}

const shells: Readonly<Record<string, string>> = {
  bash: `_burgee() {
  local IFS=$'\\n'
  COMPREPLY=($(burgee completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _burgee burgee
`,
  zsh: `#compdef burgee
_burgee() {
  local -a found
  found=(\${(f)"$(burgee completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
if [[ "\${funcstack[1]}" == _burgee ]]; then _burgee "$@"; else compdef _burgee burgee; fi
`,
  fish: `function __burgee_words
  set -l typed (commandline -opc) (commandline -ct)
  burgee completion words -- $typed[2..-1] 2>/dev/null
end
complete -c burgee -f -a '(__burgee_words)'
`
}
