import { DocsLink } from './DocsLink.tsx'

/** Says from when on npm has the packages that a snippet installs or runs. */
export function NpmNote() {
  return (
    <p>
      The packages of Burgee are published on npm with the first release; until then,{' '}
      <DocsLink page="README.md">run this in a clone</DocsLink>.
    </p>
  )
}
