import { messageOf } from '../answers/failure.ts'
import { revoke } from '../login/revoke.ts'
import type { Command } from './command.ts'
import { noArguments } from './noArguments.ts'

/** Ends the sign-in to a server: there, and in what is kept here. */
export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'End the sign-in: nobody can renew it, and it is forgotten here.',
  takes: ['apiUrl'],
  flags: {},
  details: ['Whoever has copied the access token can use it until it ends, after eight hours at most.\n'],
  run: async (given, { apiUrl }, { file, print, notice }) => {
    noArguments(given)
    if (!(await file.read(apiUrl))) {
      print(`Nobody is signed in to ${apiUrl}.`)
      return 0
    }
    let failure: unknown
    await file.change(apiUrl, async (held) => {
      // It is forgotten here whatever comes of it there.
      if (held) await revoke(apiUrl, held).catch((error) => (failure = error))
      return undefined
    })
    if (failure === undefined) {
      print(`Signed out of ${apiUrl}.`)
      return 0
    }
    notice(`the sign-in is forgotten here, but ${apiUrl} could not be told: ${messageOf(failure)}`)
    return 1
  }
}
