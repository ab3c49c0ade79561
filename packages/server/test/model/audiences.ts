import type { WhoInput } from './commands/inputs.ts'
import { find, given, type Model, type ModelAudience, newHandle, type Rule, type Who } from './state.ts'
import { toWho } from './targeting.ts'

/** Adds an audience, which may refer to another one. */
export function createAudience(key: string, name: string, who: WhoInput): Rule {
  return (model, faults) => {
    if (find(model.audiences, key)) faults.add(409)
    model.audiences.push({ handle: newHandle(model), key, name, who: toWho(model, faults, who) })
  }
}

/** Audiences cannot refer to each other in a cycle. */
export function updateAudience(
  reference: string,
  { key, name, who }: { key?: string; name?: string; who?: WhoInput }
): Rule {
  return (model, faults) => {
    const audience = find(model.audiences, reference)
    if (!audience) {
      faults.add(404)
      return
    }
    if (key !== undefined && model.audiences.some((other) => other !== audience && other.key === key)) faults.add(409)
    if (who !== undefined) audience.who = toWho(model, faults, who)
    if (isCircular(model, audience)) faults.add(400)
    Object.assign(audience, given({ key, name }))
  }
}

/** An audience in use cannot be deleted. */
export function deleteAudience(reference: string): Rule {
  return (model, faults) => {
    const audience = find(model.audiences, reference)
    if (!audience) faults.add(404)
    else if (isUsed(model, audience)) faults.add(412)
    else model.audiences = model.audiences.filter((other) => other !== audience)
  }
}

/** Whether a target or another audience refers to an audience. */
export function isUsed({ features, audiences }: Model, { handle }: ModelAudience): boolean {
  const targets = features.flatMap(({ configurations }) =>
    Object.values(configurations).flatMap((each) => each.targets)
  )
  return [...targets, ...audiences].some(({ who }) => audienceIn(who) === handle)
}

function isCircular({ audiences }: Model, { handle }: ModelAudience): boolean {
  const seen = new Set<string>()
  let next: string | undefined = handle
  while (next !== undefined && !seen.has(next)) {
    seen.add(next)
    const following: string = next
    next = audienceIn(audiences.find((audience) => audience.handle === following)?.who ?? 'everybody')
  }
  return next !== undefined
}

function audienceIn(who: Who): string | undefined {
  return typeof who === 'object' && 'audience' in who ? who.audience : undefined
}
