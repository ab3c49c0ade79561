import { auditCommands } from './commands/audit.ts'
import { clientCommands } from './commands/clients.ts'
import { configCommands } from './commands/configs.ts'
import { keyCommands } from './commands/keys.ts'
import { staleCommand } from './commands/stale.ts'
import { typesCommand } from './commands/types.ts'
import { userCommands } from './commands/users.ts'
import type { Command } from './kit/command.ts'

/** Every command of `burgee-server`. Names of two words say what it is about, and what it does. */
export const commands: readonly Command[] = [
  ...userCommands,
  ...clientCommands,
  ...keyCommands,
  ...configCommands,
  ...auditCommands,
  typesCommand,
  staleCommand
]
