// The rules of the CycloneDX 1.6 JSON schema that apply to the documents of sbom.mjs, and what no schema checks:
// references exist, each hash is a SHA-512, and nothing names a path of the machine. A validator of the whole schema
// would add rules for members that these documents do not have.

const TYPES = ['application', 'framework', 'library', 'container', 'platform', 'file', 'data']
const SCOPES = ['required', 'optional', 'excluded']
const MEMBERS = ['type', 'bom-ref', 'group', 'name', 'version', 'scope', 'hashes', 'licenses', 'purl']

/** Returns what is wrong with a bill of materials; nothing if it is valid. */
export function validateSbom(sbom) {
  const issues = []
  const expect = (isRight, text) => {
    if (!isRight) issues.push(text)
  }
  expect(sbom.bomFormat === 'CycloneDX', 'bomFormat should be CycloneDX')
  expect(sbom.specVersion === '1.6', 'specVersion should be 1.6')
  expect(Number.isInteger(sbom.version) && sbom.version >= 1, 'version should be a whole number from 1')
  const components = [sbom.metadata?.component ?? {}, ...(sbom.components ?? [])]
  for (const component of components) {
    const label = component['bom-ref'] ?? component.name ?? 'a component'
    expect(TYPES.includes(component.type), `${label}: type ${component.type} is not known`)
    expect(typeof component.name === 'string' && component.name !== '', `${label}: name is missing`)
    expect(typeof component.version === 'string' && component.version !== '', `${label}: version is missing`)
    expect(SCOPES.includes(component.scope), `${label}: scope ${component.scope} is not known`)
    expect(
      /^pkg:npm\/(%40[^/@]+\/)?[^/@]+@[^/@]+$/.test(component.purl),
      `${label}: purl ${component.purl} is not valid`
    )
    for (const name of Object.keys(component)) expect(MEMBERS.includes(name), `${label}: ${name} is not a member`)
    for (const { alg, content } of component.hashes ?? []) {
      expect(alg === 'SHA-512' && /^[0-9a-f]{128}$/.test(content), `${label}: the hash is no SHA-512`)
    }
    for (const { license, expression } of component.licenses ?? []) {
      expect(typeof (license?.id ?? license?.name ?? expression) === 'string', `${label}: the license is not named`)
    }
    const isOurs = component.group === '@burgee'
    expect(isOurs || component.hashes?.length === 1, `${label}: the hash is missing`)
  }
  const refs = components.map((component) => component['bom-ref'])
  expect(new Set(refs).size === refs.length, 'every bom-ref should be given once')
  for (const { ref, dependsOn } of sbom.dependencies ?? []) {
    for (const one of [ref, ...dependsOn]) expect(refs.includes(one), `dependencies: ${one} is no component`)
  }
  const described = new Set((sbom.dependencies ?? []).map(({ ref }) => ref))
  for (const ref of refs) expect(described.has(ref), `dependencies: ${ref} is missing`)
  expect(!/"(\/|file:|[A-Z]:\\)|node_modules/.test(JSON.stringify(sbom)), 'a path of the machine is named')
  return issues
}
