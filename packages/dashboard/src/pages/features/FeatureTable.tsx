import type { Environment, FeatureListItem } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useParams, useRouter } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Shield } from 'lucide-react'
import { type CSSProperties, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { personName, usePeopleNames } from '../../components/Actor.tsx'
import { usePlainLinks } from '../../components/links/usePlainLinks.ts'
import { lazyPart } from '../../lazyPage.ts'
import { SelectBox } from './bulk/SelectBox.tsx'
import type { FeatureSelection } from './bulk/useSelection.ts'
import { cellClass } from './cellClass.ts'
import { type EnvironmentColumn, FeatureRow } from './FeatureRow.tsx'
import styles from './Features.module.css'
import type { Sort } from './listSearch.ts'
import { type OpenMenu, RowMenu } from './RowMenu.tsx'

const KillDialog = lazyPart(() => import('../../actions/KillDialog.tsx').then((module) => module.KillDialog))
const LongRows = lazyPart(() => import('./LongRows.tsx').then((module) => module.LongRows))
const BulkBar = lazyPart(() => import('./bulk/BulkBar.tsx').then((module) => module.BulkBar))

interface Props {
  readonly rows: readonly FeatureListItem[]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly selection: FeatureSelection
}

const MAX_COLUMNS = 4
/** Longer lists have elements for the visible rows only. */
const MAX_ELEMENTS = 100
const ROW_HEIGHT = 57
const FIRST_SCREEN = 20

/** The features in rows and the environments in columns. */
export function FeatureTable({ rows, sort, onSort, selection }: Props) {
  const { project = '' } = useParams({ strict: false })
  const { environments, environment } = useEnvironment(project)
  const { base, columns } = useAddresses(environments, environment)
  const links = usePlainLinks()
  const names = usePeopleNames()
  const [killed, setKilled] = useState<FeatureListItem>()
  const [menu, setMenu] = useState<OpenMenu>()
  const showRow = (row: FeatureListItem, index: number, measure?: (element: HTMLElement | null) => void) => (
    <FeatureRow
      key={row._id}
      row={row}
      index={index}
      measure={measure}
      base={base}
      columns={columns}
      environment={environment}
      author={row._updatedBy === undefined ? undefined : personName(row._updatedBy, names)}
      isSelected={selection.has(row)}
      onSelect={selection.toggle}
      isMenuOpen={menu?.row._id === row._id && menu.openedBy !== undefined}
      onMenu={setMenu}
    />
  )
  const hidden = environments.length - columns.length
  return (
    <>
      <table
        {...links}
        aria-label="Features"
        aria-rowcount={rows.length + 1}
        className={styles.table}
        data-columns={columns.length}
        style={{ '--environments': columns.length } as CSSProperties}
      >
        <TableHead
          rowCount={rows.length}
          columns={columns}
          environment={environment}
          sort={sort}
          onSort={onSort}
          selection={selection}
        />
        {rows.length > MAX_ELEMENTS ? (
          <Suspense fallback={<FirstRows rows={rows}>{showRow}</FirstRows>}>
            <LongRows rows={rows} rowHeight={ROW_HEIGHT}>
              {showRow}
            </LongRows>
          </Suspense>
        ) : (
          <tbody>{rows.map((row, index) => showRow(row, index))}</tbody>
        )}
      </table>
      {selection.rows.length > 0 && (
        <Suspense fallback={null}>
          <BulkBar selection={selection} shown={rows.length} environments={environments} environment={environment} />
        </Suspense>
      )}
      {menu && (
        <RowMenu
          key={menu.row._id}
          menu={menu}
          environment={environment}
          onClose={() => setMenu((now) => (now?.row === menu.row ? { ...menu, openedBy: undefined } : now))}
          onKill={setKilled}
        />
      )}
      {hidden > 0 && (
        <p className={styles.note}>
          {`${columns.length} of ${environments.length} environments are shown. The one that is chosen above is always among them.`}
        </p>
      )}
      {killed && (
        <Suspense fallback={null}>
          <KillDialog isOpen onClose={() => setKilled(undefined)} project={project} feature={killed} />
        </Suspense>
      )}
    </>
  )
}

/** The address of the list, which those of its features begin with, and the columns with theirs. */
function useAddresses(environments: readonly Environment[], environment: Environment | undefined) {
  const { org = '', project = '' } = useParams({ strict: false })
  const router = useRouter()
  const base = useMemo(
    () => router.buildLocation({ to: '/o/$org/p/$project/features', params: { org, project } }).href,
    [router, org, project]
  )
  const columns = useMemo(
    () =>
      shownEnvironments(environments, environment).map(
        (each): EnvironmentColumn => ({ environment: each, search: router.options.stringifySearch({ env: each.key }) })
      ),
    [router, environments, environment]
  )
  return { base, columns }
}

interface HeadProps extends Pick<Props, 'sort' | 'onSort' | 'selection'> {
  readonly rowCount: number
  readonly columns: readonly EnvironmentColumn[]
  readonly environment: Environment | undefined
}

/** The titles of the columns, and the box that selects all rows. */
function TableHead({ rowCount, columns, environment, sort, onSort, selection }: HeadProps) {
  const selected = selection.rows.length
  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1} className={styles.row}>
        <th scope="col" className={styles.select}>
          <SelectBox
            label="Select all shown"
            isChecked={selected === rowCount}
            isMixed={selected > 0 && selected < rowCount}
            onChange={(isChecked) => (isChecked ? selection.selectAll() : selection.clear())}
          />
        </th>
        <Header sort={sort} member="name" onSort={onSort}>
          Name
        </Header>
        {columns.map(({ environment: column }) => (
          <th scope="col" key={column._id} className={cellClass(column, environment)}>
            {isProtected(column) && <Shield size={12} aria-label="protected" />}
            <bdi className={styles.cut}>{column.name}</bdi>
          </th>
        ))}
        <Header sort={sort} member="changed" onSort={onSort} className={styles.when}>
          Changed
        </Header>
        <th scope="col">
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

/** At most four environments in their order, with the chosen one. */
function shownEnvironments(all: readonly Environment[], chosen: Environment | undefined): readonly Environment[] {
  if (all.length <= MAX_COLUMNS) return all
  const first = all.filter((each) => each !== chosen).slice(0, chosen ? MAX_COLUMNS - 1 : MAX_COLUMNS)
  return all.filter((each) => each === chosen || first.includes(each))
}

interface FirstRowsProps {
  readonly rows: readonly FeatureListItem[]
  readonly children: (row: FeatureListItem, index: number) => ReactNode
}

/** The rows of the first screen, in the height of all, until the code of long lists is there. */
function FirstRows({ rows, children }: FirstRowsProps) {
  const shown = rows.slice(0, FIRST_SCREEN)
  return (
    <tbody style={{ paddingBlockEnd: (rows.length - shown.length) * ROW_HEIGHT }}>
      {shown.map((row, index) => children(row, index))}
    </tbody>
  )
}

interface HeaderProps {
  readonly sort: Sort
  readonly member: 'name' | 'changed'
  readonly onSort: (sort: Sort) => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** The title of a column that orders the rows. */
function Header({ sort, member, onSort, className, children }: HeaderProps) {
  const isUp = sort === member
  const isDown = sort === `-${member}`
  const next: Sort = member === 'name' ? (isUp ? '-name' : 'name') : isDown ? 'changed' : '-changed'
  return (
    <th scope="col" className={className} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {children}
        {isUp && <ArrowUp size={12} aria-hidden="true" />}
        {isDown && <ArrowDown size={12} aria-hidden="true" />}
      </button>
    </th>
  )
}
