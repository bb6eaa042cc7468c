import { LinkButton } from '@gatehouse/ui/buttons/button.tsx'
import { Select } from '@gatehouse/ui/fields/select.tsx'
import { useRef } from 'react'
import { ActionDialog } from '../../actions/action-dialog.tsx'
import { ActionForm } from '../../actions/action-form.tsx'
import { outcomeOf, useActions } from '../../actions/use-actions.ts'
import type { PortalApi } from '../../calls/portal-api.ts'
import { accountTexts } from '../../messages/current.ts'
import { ActionButton, Row, Rows, Section } from '../section.tsx'
import type { SectionProps } from '../section-props.ts'
import { ownZone, zonesByRegion } from '../time-zones.ts'
import styles from './time-zone-section.module.css'

export type TimeZoneProps = SectionProps & { timeZone: string; api: Pick<PortalApi, 'userTimeZone'> }

const words = () => accountTexts.timeZone

/** Names of time zones are the same in every language, except for their first part. */
const regionText = (region: string): string => Object.entries(words().regions).find(([name]) => name === region)?.[1] ?? region

/** The time zone for dates and times. */
export const TimeZoneSection = (props: TimeZoneProps) => {
  const { timeZone, username, api } = props
  const actions = useActions<'change'>(props)
  const select = useRef<HTMLSelectElement>(null)

  const change = (userTZLabel: string) =>
    void actions.start(async signal => outcomeOf(await api.userTimeZone({ userTZLabel }, signal), words().done))

  return (
    <Section
      id="time-zone"
      title={words().heading}
      message={actions.message}
      actions={<ActionButton label={words().open} onClick={() => actions.choose('change')} />}
    >
      <Rows>
        <Row name={<bdi>{timeZone}</bdi>} details={[words().label]} />
      </Rows>
      <ActionDialog actions={actions} username={username} title={() => words().title}>
        {(_, { problem, isRunning }) => (
          <ActionForm
            text={words().text}
            submit={words().submit}
            running={isRunning ? words().running : undefined}
            problem={problem}
            onSubmit={typed => change(typed('userTZLabel'))}
            onEdit={actions.edit}
            onCancel={actions.close}
          >
            {() => (
              <div>
                <Select ref={select} label={words().heading} name="userTZLabel" defaultValue={timeZone}>
                  {zonesByRegion(timeZone).map(({ region, zones }) => (
                    <optgroup key={region} label={regionText(region)}>
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
                      {words().suggest(ownZone())}
                    </LinkButton>
                  </div>
                )}
              </div>
            )}
          </ActionForm>
        )}
      </ActionDialog>
    </Section>
  )
}
