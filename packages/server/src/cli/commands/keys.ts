import { listSigningKeys, rotateSigningKey } from '../../identity/keys/signingKeys.ts'
import type { StoreCommand } from '../kit/command.ts'
import { assertNoArguments } from '../kit/commandArguments.ts'

/** What can be done to the keys that access tokens are signed with. */
export const keyCommands: readonly StoreCommand[] = [
  {
    name: 'keys list',
    usage: '',
    summary: 'List the keys that access tokens are signed with, the one that signs first.',
    run: async ({ store, print }, given) => {
      assertNoArguments(given)
      for (const { kid, createdAt, retiredAt } of await listSigningKeys(store)) {
        print(`${kid}  since ${createdAt}${retiredAt === undefined ? '' : ` until ${retiredAt}, verifies only`}`)
      }
      return 0
    }
  },
  {
    name: 'keys rotate',
    usage: '',
    summary: 'Sign access tokens with a new key. Tokens that were signed before hold until they expire.',
    operation: 'rotateSigningKey',
    run: async (console, given) => {
      assertNoArguments(given)
      const [key] = await rotateSigningKey(console, console.caller)
      if (key) console.print(`access tokens are signed with ${key.kid} from now on`)
      return 0
    }
  }
]
