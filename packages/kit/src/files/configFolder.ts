import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

interface FolderVariables {
  readonly XDG_CONFIG_HOME?: string | undefined
  readonly APPDATA?: string | undefined
}

/** Returns the folder of Burgee in the user's configuration folder. */
export function configFolder({ XDG_CONFIG_HOME, APPDATA }: FolderVariables, platform: NodeJS.Platform): string {
  const named = platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  // Relative paths must be ignored (XDG Base Directory Specification).
  if (named && isAbsolute(named)) return join(named, 'burgee')
  return join(homedir(), platform === 'win32' ? join('AppData', 'Roaming') : '.config', 'burgee')
}
