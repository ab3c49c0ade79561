import { auditCommands } from './audit.ts'
import { clientCommands } from './clients.ts'
import type { Command } from './command.ts'
import { keyCommands } from './keys.ts'
import { userCommands } from './users.ts'

/** Every command of `burgee-server`. Their names are two words: what they are about, and what they do. */
export const commands: readonly Command[] = [...userCommands, ...clientCommands, ...keyCommands, ...auditCommands]
