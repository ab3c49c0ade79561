import type { CodeReference, CodeUsage } from '@burgee/contract/schemas'
import { useRead } from '../../../api/query.ts'
import { Badge } from '../../../components/Badge.tsx'
import { CopyButton, Snippet } from '../../../components/Copy.tsx'
import { DocsLink } from '../../../components/links/DocsLink.tsx'
import { NpmNote } from '../../../components/links/NpmNote.tsx'
import { Section } from '../../../components/Page.tsx'
import { Empty, Loaded } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import { useFeature, useFeatureParams } from '../useFeature.ts'
import styles from './Code.module.css'
import { countReads, groupByVariable } from './codeUsages.ts'

/** The places in code that read the variables of a feature, as the last scans found them. */
export function CodePage() {
  const { project } = useFeatureParams()
  const { data: feature } = useFeature()
  const usages = useRead(
    'listCodeUsages',
    { params: { project }, query: { feature: feature?._id ?? '', current: 'true', perPage: 1000 } },
    { enabled: feature !== undefined }
  )
  if (!feature) return null
  return (
    <Loaded query={usages} title="The code usages could not be loaded">
      {(rows) =>
        countReads(rows).all === 0 ? (
          <Empty title="No scan has found code that reads this feature.">
            <p>
              A scan in CI lists the places that read variables, so that you know what to change before you complete or
              archive a feature. <DocsLink page="guides/code-references.md">Scan your code</DocsLink>
            </p>
            <Snippet label="Scan in CI" text={`npx burgee scan --upload --project ${project}`} />
            <NpmNote />
          </Empty>
        ) : (
          groupByVariable(rows).map(([key, found]) => <VariableUsages key={key} variable={key} usages={found} />)
        )
      }
    </Loaded>
  )
}

function VariableUsages({ variable, usages }: { readonly variable: string; readonly usages: readonly CodeUsage[] }) {
  const { all, tests } = countReads(usages)
  const count = all === 1 ? 'read in 1 place' : `read in ${all} places`
  return (
    <Section title={`${variable}: ${count}${tests > 0 ? `, ${tests} of them in tests` : ''}`}>
      {usages.map((usage) => (
        <div key={`${usage.repo} ${usage.branch}`} className={styles.scan}>
          <p className={styles.source}>
            <bdi>{usage.repo}</bdi> · <bdi>{usage.branch}</bdi>
            {usage.commit && (
              <>
                {' '}
                at <code>{usage.commit.slice(0, 10)}</code>
              </>
            )}
            , scanned <Time value={usage.scannedAt} />
          </p>
          <ul className={styles.places}>
            {usage.references.map((reference) => (
              <Place
                key={`${reference.fileName}:${reference.lineNumbers.start}:${reference.column ?? 0}`}
                reference={reference}
              />
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

function Place({ reference }: { readonly reference: CodeReference }) {
  const { fileName, lineNumbers, confidence, isTest, codeSnippet } = reference
  const place = `${fileName}:${lineNumbers.start}`
  return (
    <li>
      <div className={styles.place}>
        <code className={styles.file}>
          <bdi>{place}</bdi>
        </code>
        <CopyButton text={place} label={`Copy ${place}`} />
        {isTest && <Badge tone="off">test</Badge>}
        {confidence === 'likely' && (
          <span title="The call is named like one of an SDK, but the file imports no known SDK.">
            <Badge tone="waiting">likely</Badge>
          </span>
        )}
      </div>
      {codeSnippet && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard.
        <section tabIndex={0} aria-label={`Code at ${place}`} className={styles.code}>
          <pre>{codeSnippet.content}</pre>
        </section>
      )}
    </li>
  )
}
