import { DatabaseSync } from 'node:sqlite'
import { admin, type Gatehouse } from './gatehouse.ts'

export const ada = { username: 'ada@example.com', password: admin.password }

/** Runs a statement in the database of a server. */
export const inDatabase = ({ dataDir }: Gatehouse, statement: string) => {
  const database = new DatabaseSync(`${dataDir}/gatehouse.sqlite`, { timeout: 5000 })
  database.exec(statement)
  database.close()
}

/** Creates Ada's account, with the administrator's password. */
export const addAda = (gatehouse: Gatehouse) =>
  inDatabase(
    gatehouse,
    `insert into users ("userId", "userIdent", "userPassword", "userForcedReset", "userPasswordByMail", "userTZLabel", "userCreated")
     select 'ada', '${ada.username}', "userPassword", 0, 0, 'UTC', "userCreated" from users;
     insert into emails ("emailEmail", "emailUser") values ('${ada.username}', 'ada')`,
  )
