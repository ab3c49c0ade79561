import { operations } from '@burgee/contract'
import { describeOperations } from '../src/manifest/describeOperations.ts'
import { reservedFlags } from '../src/operations/reservedFlags.ts'

// The build inserts it as a constant. Vitest keeps transformed modules only if no constant is inserted into them.
Object.assign(globalThis, { MANIFEST: JSON.stringify(describeOperations(operations, reservedFlags)) })
