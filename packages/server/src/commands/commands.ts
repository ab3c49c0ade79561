import { auditCommands } from './audit.ts'
import { clientCommands } from './clients.ts'
import type { Command } from './command.ts'
import { configCommands } from './configs.ts'
import { keyCommands } from './keys.ts'
import { staleCommand } from './stale.ts'
import { typesCommand } from './types.ts'
import { userCommands } from './users.ts'

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
