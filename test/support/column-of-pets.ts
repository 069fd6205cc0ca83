import { readFileSync, writeFileSync } from 'node:fs';
import { withMigration } from '../../tools/migration/migration-source.js';

/** The edits that add a nullable column to pets, by file: the existing text, and the text inserted before it. */
const EDITS: Readonly<Record<string, readonly (readonly [before: string, added: string])[]>> = {
  'src/pets/domain/pet.ts': [['\n  private constructor(', '  readonly nickname?: string | undefined;\n']],
  'src/pets/domain/new-pet.ts': [
    ['  readonly status?: PetStatus', '  readonly nickname?: string | undefined;\n'],
  ],
  'src/pets/adapters/http/pet.dto.ts': [
    [
      '\n  @ReadOnly()',
      "\n  @TextField({ description: 'What it answers to.', example: 'Rexy', maxLength: 40, optional: true })\n  nickname?: string;\n",
    ],
    [
      '}\n\nexport function toPetBody',
      "\n  @TextField({ description: 'What it answers to.', example: 'Rexy', optional: true })\n  nickname?: string | undefined;\n",
    ],
    ['    status: pet.status,', '    nickname: pet.nickname,\n'],
  ],
  'src/pet-files/adapters/cli/pet-text.ts': [['};\nexport const PET_COLUMNS', "  nickname: 'text',\n"]],
  'src/pets/adapters/typeorm/pet.schema.ts': [
    ['  },\n  indices', '    nickname: columns.text(40, { nullable: true }),\n'],
  ],
  // The fixtures, whose types require a value.
  'test/support/pet-builder.ts': [
    ["  status: 'pending',", "  nickname: 'Rexy',\n"],
    ['  categoryId: 93n,', "  nickname: 'Belly',\n"],
  ],
  'test/contract/pet-repository.test.ts': [['};\nconst pet =', "  nickname: 'Rexy',\n"]],
};

/** The migration as `npm run migration:generate` writes it; that tool has its own test. */
const MIGRATION = `import { SqlMigration } from '../../../platform/database/index.js';

/** What a pet answers to. */
export class AddNickname extends SqlMigration {
  readonly name = 'AddNickname1795437016797';

  protected readonly forwards = {
    sqlite: ['ALTER TABLE "pets" ADD COLUMN "nickname" text'],
    mysql: ['ALTER TABLE \`pets\` ADD \`nickname\` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL'],
  };

  protected readonly backwards = {
    sqlite: ['ALTER TABLE "pets" DROP COLUMN "nickname"'],
    mysql: ['ALTER TABLE \`pets\` DROP COLUMN \`nickname\`'],
  };
}
`;

/** Adds the column to a tree; `path` returns the location of a file in it. */
export function addColumnOfPets(path: (file: string) => string): void {
  for (const [file, edits] of Object.entries(EDITS)) change(path(file), edits);
  writeFileSync(path('src/pets/adapters/typeorm/add-nickname.migration.ts'), MIGRATION);
  const module = path('src/pets/pets.module.ts');
  const text = readFileSync(module, 'utf8');
  writeFileSync(module, withMigration(text, 'add-nickname', 'adapters/typeorm/add-nickname.migration.ts')!);
}

function change(path: string, edits: readonly (readonly [before: string, added: string])[]): void {
  let text = readFileSync(path, 'utf8');
  for (const [before, added] of edits) {
    if (!text.includes(before)) throw new Error(`${path} has no place for ${added}: ${before} is not there.`);
    text = text.replace(before, () => added + before);
  }
  writeFileSync(path, text);
}
