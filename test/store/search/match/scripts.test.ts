/** Tests how questions in scripts without word boundaries find companies, whose names are stored in pairs of letters. */
import { expect, test } from 'bun:test';
import { company, named, numbered, smallIndex, within } from '../small-index.ts';

const names = [
  '紅百合有限公司 Trading',
  '北海物産株式会社 Holdings',
  '紅百合有限公司',
  '紅百合貿易有限公司',
  '北海物産株式会社',
  '株式会社北海',
  '한빛 주식회사',
  'บริษัท ไทยประกันชีวิต จำกัด',
];

async function found(
  questions: readonly string[],
  more: readonly string[] = [],
): Promise<Record<string, string | undefined>> {
  const index = await smallIndex([...names, ...more].map((name) => company({ names: [name] })));
  const first = Object.fromEntries(questions.map((q) => [q, index.find(q)[0]]));
  await index.close();
  return first;
}

test('a name is found with a city, a branch or another word behind its legal form', async () => {
  expect(
    await found([
      '紅百合有限公司 上海',
      '紅百合有限公司上海分公司',
      '紅百合有限公司, Hong Kong',
      '北海物産株式会社 東京支店',
      '株式会社北海 東京支店',
      '한빛 주식회사 서울',
    ]),
  ).toEqual({
    '紅百合有限公司 上海': '紅百合有限公司',
    紅百合有限公司上海分公司: '紅百合有限公司',
    '紅百合有限公司, Hong Kong': '紅百合有限公司',
    '北海物産株式会社 東京支店': '北海物産株式会社',
    '株式会社北海 東京支店': '株式会社北海',
    '한빛 주식회사 서울': '한빛 주식회사',
  });
});

test('a name is found with its legal form in another place, split by a space, or in part', async () => {
  expect(
    await found([
      '有限公司紅百合',
      '紅百合有限 公司',
      '紅百合有限',
      '紅百合公司',
      '株式会社北海物産',
      '北海株式会社',
      'ไทยประกันชีวิตจำ กัด',
    ]),
  ).toEqual({
    有限公司紅百合: '紅百合有限公司',
    '紅百合有限 公司': '紅百合有限公司',
    紅百合有限: '紅百合有限公司',
    紅百合公司: '紅百合有限公司',
    株式会社北海物産: '北海物産株式会社',
    北海株式会社: '株式会社北海',
    'ไทยประกันชีวิตจำ กัด': 'บริษัท ไทยประกันชีวิต จำกัด',
  });
});

test('Latin letters beside a legal form are no letters of it', async () => {
  const more = ['株式会社W生命保険', '東京N生命保険株式会社', 'TQ จำกัด', 'นครหลวง จำกัด'];
  expect(await found(['株式会社W生命保険東京', 'TQ จำกัด กรุงเทพ'], more)).toEqual({
    株式会社W生命保険東京: '株式会社W生命保険',
    'TQ จำกัด กรุงเทพ': 'TQ จำกัด',
  });
});

test('words in front of a legal form that names keep are words of the name', async () => {
  const more = ['苏州恒润集团股份有限公司', '苏州恒润股份有限公司', '苏州恒润有限公司'];
  expect(await found(['苏州恒润集团股份有限公司上海', '浦東新區苏州恒润集团股份有限公司'], more)).toEqual({
    苏州恒润集团股份有限公司上海: '苏州恒润集团股份有限公司',
    浦東新區苏州恒润集团股份有限公司: '苏州恒润集团股份有限公司',
  });
});

test('a name without a legal form is found with a part of one behind it, or with a form that spaces divide', async () => {
  const more = [
    '苏州联想地产',
    '杭州联想地产上海有限公司',
    '苏州光大食品有限公司',
    '苏州光大食品上海有限公司',
  ];
  expect(await found(['苏州联想地产有限', '苏州联想地产公司', '苏州光大食品有限 公司深圳'], more)).toEqual({
    苏州联想地产有限: '苏州联想地产',
    苏州联想地产公司: '苏州联想地产',
    '苏州光大食品有限 公司深圳': '苏州光大食品有限公司',
  });
});

test('a space inside a name or a form of a script without spaces changes nothing', () =>
  within(
    [...numbered(60, 'Zenobia'), ...named('崇越科技股份有限公司', '崇越科技股份有限公司 Limited')],
    (index) => {
      for (const q of ['崇越科技股 份有限公司', '崇越科技股份 有限公司', '崇 越科技股份有限公司'])
        expect([q, index.find(q)[0]]).toEqual([q, '崇越科技股份有限公司']);
    },
  ));
