import { compile } from '../../packages/core/dist/index.js'
import { variablesText } from '../../packages/core/dist/text.js'
import { toDocument } from '../evaluations/document.mjs'
import { makeUsers } from '../evaluations/users.mjs'
import { workloads } from '../evaluations/workloads.mjs'

// Evaluates a mix as often as the argument says: one flag, ten rules, all flags, and all flags as text.
const users = makeUsers(50)
const few = compile(toDocument(workloads.d10.makeFlags()))
const rules = compile(toDocument(workloads.b.makeFlags()))
for (let round = 0; round < Number(process.argv[2]); round++) {
  const user = users[round % users.length]
  few.variable(user, 'flag-0')
  rules.variable(user, 'flag-0')
  few.resolveAll(user)
  variablesText(few, user)
}
