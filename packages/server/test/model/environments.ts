import { addEnvironment, find, given, type KeyType, keyTypes, newHandle, type Rule } from './state.ts'

/** Adds an environment in which features have no configuration. */
export function createEnvironment(key: string, name: string): Rule {
  return (model, faults) => {
    if (find(model.environments, key)) faults.add(409)
    addEnvironment(model, key, name)
  }
}

/** Keys are unique. */
export function updateEnvironment(reference: string, { key, name }: { key?: string; name?: string }): Rule {
  return (model, faults) => {
    const environment = find(model.environments, reference)
    if (!environment) {
      faults.add(404)
      return
    }
    if (key !== undefined && model.environments.some((other) => other !== environment && other.key === key)) {
      faults.add(409)
    }
    Object.assign(environment, given({ key, name }))
  }
}

/** Deletes an environment with the configurations in it; the last one cannot be deleted. */
export function deleteEnvironment(reference: string): Rule {
  return (model, faults) => {
    const environment = find(model.environments, reference)
    if (!environment) {
      faults.add(404)
      return
    }
    if (model.environments.length === 1) faults.add(405)
    model.environments = model.environments.filter((other) => other !== environment)
    for (const feature of model.features) delete feature.configurations[environment.handle]
  }
}

/** Adds SDK keys to the existing ones. */
export function generateKeys(reference: string, types: readonly KeyType[]): Rule {
  return (model, faults) => {
    if (types.length === 0) faults.add(400)
    const environment = find(model.environments, reference)
    if (!environment) faults.add(404)
    for (const type of keyTypes.filter((each) => types.includes(each))) {
      environment?.keys[type].push(newHandle(model))
    }
  }
}

/** Invalidates a key; the last one of a type stays valid. */
export function invalidateKey(reference: string, type: KeyType, index: number): Rule {
  return (model, faults) => {
    const keys = find(model.environments, reference)?.keys[type]
    if (keys?.[index] === undefined) faults.add(404)
    else if (keys.length === 1) faults.add(405)
    else keys.splice(index, 1)
  }
}
