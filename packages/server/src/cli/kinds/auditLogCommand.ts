import type { Command } from '@burgee/kit/commandLine'
import { pickSettings, type Settings } from '@burgee/kit/settings'
import type { AuditLog } from '../../storage/auditLog.ts'
import { openAuditLog } from '../../storage/open/openAuditLog.ts'
import { settings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { type DeclaredCommand, declareCommand } from './declareCommand.ts'

/** The context of commands that read the audit log. */
export interface AuditLogCommandContext {
  readonly log: AuditLog
  /** Writes a line to standard output. */
  readonly print: (line: string) => void
}

/** Declares a command that only reads the audit log. It works while a server is running, and on damaged stores. */
export function auditLogCommand<const S extends Settings>(
  declared: DeclaredCommand<S, AuditLogCommandContext>
): Command<Terminal> {
  return declareCommand({
    ...declared,
    shared: pickSettings(settings, 'store'),
    run: async (given, { store }, { print }) => declared.run(given, { log: await openAuditLog(store), print })
  })
}
