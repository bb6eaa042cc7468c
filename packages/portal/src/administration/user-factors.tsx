import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { factorName } from '../factor-name.ts'
import { administrationTexts as words } from '../messages/current.ts'
import styles from './administration.module.css'
import { Part } from './part.tsx'
import rowStyles from './rows.module.css'
import { Cell, Moment, Rows } from './rows.tsx'
import type { UserPartProps } from './user-part.ts'

/** The second factors of a user. */
export const UserFactors = ({ detail: { factors }, dates, actions, whom, isOwn }: UserPartProps) => {
  const page = words.user
  const { name, type, verified, used, remove } = page.factor
  const nameOf = (factor: (typeof factors)[number]) => factorName(factor, page.factorTypes.TOTP)
  return (
    <Part title={page.factors}>
      {factors.length === 0 ? (
        <p className={styles.note}>{page.factorsNone}</p>
      ) : (
        <Rows name={page.factors} columns={[name, type, verified, used, { name: remove, isAct: true }]}>
          {factors.map(factor => (
            <tr key={factor.factorUUID} className={rowStyles.row}>
              <Cell column={name} lead>
                <bdi>{nameOf(factor)}</bdi>
              </Cell>
              <Cell column={type}>{page.factorTypes[factor.factorFactorType]}</Cell>
              <Cell column={verified}>
                {factor.factorDateVerified ? <Moment>{dates.dateTime(factor.factorDateVerified)}</Moment> : words.unknown}
              </Cell>
              <Cell column={used}>
                {factor.factorDateLastUsed ? <Moment>{dates.dateTime(factor.factorDateLastUsed)}</Moment> : words.never}
              </Cell>
              <Cell column={remove} act>
                {!isOwn && (
                  <LinkButton
                    danger
                    aria-label={page.factor.removeOf(nameOf(factor))}
                    onClick={() => actions.choose({ kind: 'removeFactor', ...whom, factorUUID: factor.factorUUID })}
                  >
                    {remove}
                  </LinkButton>
                )}
              </Cell>
            </tr>
          ))}
        </Rows>
      )}
      {isOwn && factors.length > 0 && <p className={styles.note}>{words.acts.removeFactor.oneself}</p>}
    </Part>
  )
}
