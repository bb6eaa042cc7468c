import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Select } from '@gatehouse/ui/fields/select.tsx'
import { useRef } from 'react'
import { ActWindow } from '../../actions/action-dialog.tsx'
import { ActForm } from '../../actions/action-form.tsx'
import { afterVoid, type SectionProps, useOwnAct } from '../../actions/use-action.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { englishAccount } from '../../messages/en-account.ts'
import { Act, Row, Rows, Section } from '../section.tsx'
import { ownZone, zonesByRegion } from '../time-zones.ts'
import styles from './time-zone-section.module.css'

export type TimeZoneProps = SectionProps & { timeZone: string; api: Pick<PortalApi, 'userTimeZone'> }

const words = englishAccount.timeZone

/** The zone that times are told in. */
export const TimeZoneSection = (props: TimeZoneProps) => {
  const { timeZone, username, api } = props
  const act = useOwnAct<'change'>(props)
  const { state } = act
  const select = useRef<HTMLSelectElement>(null)

  const change = (userTZLabel: string) =>
    void act.start(async signal => afterVoid(await api.userTimeZone({ userTZLabel }, signal), words.done))

  return (
    <Section
      id="time-zone"
      title={words.heading}
      news={state.is === 'AtRest' ? state.news : undefined}
      act={<Act label={words.open} onClick={() => act.choose('change')} />}
    >
      <Rows>
        <Row name={timeZone} details={[words.label]} />
      </Rows>
      <ActWindow act={act} username={username} title={() => words.title}>
        {(_, { problem, isRunning }) => (
          <ActForm
            text={words.text}
            submit={words.submit}
            running={isRunning ? words.running : undefined}
            problem={problem}
            onSubmit={typed => change(typed('userTZLabel'))}
            onEdit={act.edit}
            onCancel={act.close}
          >
            {() => (
              <div>
                <Select ref={select} label={words.heading} name="userTZLabel" defaultValue={timeZone}>
                  {zonesByRegion(timeZone).map(({ region, zones }) => (
                    <optgroup key={region} label={region}>
                      {zones.map(zone => (
                        <option key={zone} value={zone}>
                          {zone.replaceAll('_', ' ')}
                        </option>
                      ))}
                    </optgroup>
                  ))}
                </Select>
                {ownZone() !== timeZone && (
                  <div className={styles.suggestion}>
                    <LinkButton
                      onClick={() => {
                        if (select.current) select.current.value = ownZone()
                      }}
                    >
                      {words.suggest(ownZone())}
                    </LinkButton>
                  </div>
                )}
              </div>
            )}
          </ActForm>
        )}
      </ActWindow>
    </Section>
  )
}
